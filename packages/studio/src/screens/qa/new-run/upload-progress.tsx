import { Button } from '../../../ui/button.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import type { PhotoUploads } from './use-photo-uploads.ts';

/** How many photos are in, and which were refused and why. */
export function UploadProgress({ uploads }: { uploads: PhotoUploads }) {
  const { total, done, share, failed } = uploads.state;
  return (
    <>
      {total > 0 && (
        <div className="flex items-end gap-3">
          <div className="min-w-0 flex-1">
            <ProgressBar
              label={say('Adding photo {at} of {count}', { at: Math.min(done + 1, total), count: total })}
              share={(done + share) / total}
            />
          </div>
          <Button kind="quiet" onClick={uploads.cancel}>
            {say('Cancel')}
          </Button>
        </div>
      )}
      {failed.length > 0 && (
        <div role="alert" className="flex flex-col gap-3 rounded-card border border-lost px-4 py-3">
          <p className="text-lost">
            {failed.length === 1
              ? say('1 photo was not added.')
              : say('{count} photos were not added.', { count: numberText(failed.length) })}
          </p>
          <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto text-small">
            {failed.map(({ file, sentence }) => (
              <li key={`${file.name} ${file.size} ${file.lastModified}`} className="min-w-0 break-words">
                <span className="font-medium">{file.name}</span>: {sentence}
              </li>
            ))}
          </ul>
          <div className="flex gap-2">
            <Button onClick={uploads.retryFailed}>{say('Try again')}</Button>
            <Button kind="quiet" onClick={uploads.forgetFailed}>
              {say('Skip them')}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
