import { GuiseError } from '@guise/client/guise-error.ts';
import { Problem } from '../../../ui/problem.tsx';

/** Why a filter was not saved: the server's sentence, and which part of the definition it means. */
export function SaveProblem({ error }: { error: unknown }) {
  if (!error) return null;
  const fields = error instanceof GuiseError ? error.fields : [];
  return (
    <div className="flex flex-col gap-2">
      <Problem error={error} />
      {fields.length > 0 && (
        <ul className="text-small text-lost">
          {fields.map(({ path, message }) => (
            <li key={path}>
              {path}: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
