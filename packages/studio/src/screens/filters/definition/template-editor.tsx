import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import type { Photo } from '../../../photo/photo.ts';
import { PhotoInput } from '../../../photo/photo-input.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import type { TemplatePhoto } from './edited-filter.ts';
import { FaceMarks } from './face-marks.tsx';
import { hasUsableFace, templateCheckQuery } from './template-check.ts';
import { templateOfPhoto } from './template-photo.ts';

interface TemplateEditorProps {
  template: TemplatePhoto | undefined;
  onChange(template: TemplatePhoto | undefined): void;
}

/** A filter from a picture: the guest's face goes into it. Says how well its faces suit. */
export function TemplateEditor({ template, onChange }: TemplateEditorProps) {
  const guise = useGuise();
  const check = useQuery(templateCheckQuery(guise, template));
  const choose = async (photo: Photo | undefined) =>
    onChange(photo ? await templateOfPhoto(photo) : undefined);
  return (
    <div className="flex flex-col gap-4">
      <PhotoInput
        label={say('Template picture')}
        photo={template?.photo}
        onChange={(photo) => void choose(photo)}
        takesPasted
        overlay={check.data && <FaceMarks check={check.data} />}
      >
        <p className="max-w-prose text-small text-ink-soft">
          {say('One face, from the front, well lit and at least 120 pixels high works best.')}
        </p>
      </PhotoInput>
      {template && (
        <div role="status" className="text-small">
          {check.isFetching && <p className="text-ink-soft">{say('Looking for faces…')}</p>}
          {check.data && <CheckSentences {...check.data} />}
        </div>
      )}
      {check.error && <Problem error={check.error} onRetry={() => void check.refetch()} />}
    </div>
  );
}

function CheckSentences({ faces, warnings }: Pick<TemplateCheck, 'faces' | 'warnings'>) {
  if (warnings.length === 0) return <p className="text-good">{say('The picture is well suited.')}</p>;
  const isUsable = hasUsableFace({ faces });
  return (
    <div {...(!isUsable && { role: 'alert', className: 'text-lost' })}>
      <ul className="flex flex-col gap-1">
        {warnings.map((warning) => (
          <li key={warning}>{sayOfServer(warning)}</li>
        ))}
      </ul>
    </div>
  );
}
