import type { EngineInfo } from '@guise/contract/operator/operator.ts';
import { fullTime } from '../../../ui/format-time.ts';
import { say } from '../../../words/say.ts';
import { operatorSentence } from '../operator-sentence.ts';

/** What the servers of an engine did not make last, and when. */
export function EngineFailures({ failures }: Pick<EngineInfo, 'failures'>) {
  if (failures.length === 0) return null;
  return (
    <details className="mt-2 text-small">
      <summary className="cursor-pointer text-ink-soft [overflow-wrap:anywhere]">
        {say('Last failure {time}: {cause}', {
          time: fullTime(failures[0]!.at),
          cause: operatorSentence(failures[0]!.cause),
        })}
      </summary>
      <ul className="mt-1 flex flex-col gap-1">
        {failures.map(({ at, server, cause }) => (
          <li key={`${at} ${server} ${cause}`} className="[overflow-wrap:anywhere]">
            <span className="text-ink-soft">
              {fullTime(at)}, {server}:
            </span>{' '}
            {operatorSentence(cause)}
          </li>
        ))}
      </ul>
    </details>
  );
}
