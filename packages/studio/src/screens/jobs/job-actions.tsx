import type { JobDetail } from '@guise/contract/job-details.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { Download, Repeat2, RotateCcw, Trash2, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { saveLink } from '../../ui/save-file.ts';
import { say } from '../../words/say.ts';
import { plainLink } from '../filters/primary-link.ts';
import { downloadsOf } from './job-files.ts';
import { hasEnded } from './job-words.ts';
import { useBatch } from './use-batch.ts';

/** What can be done with a job. */
export function JobActions({ job, onChanged }: { job: JobDetail; onChanged(): void }) {
  const navigate = useNavigate();
  const { working, act } = useBatch();
  const retry = async () => {
    const [result] = await act('retry', [job.id]);
    if (result?.ok && result.job) await navigate({ to: '/studio/jobs/$id', params: { id: result.job.id } });
  };
  return (
    <div className="flex flex-wrap gap-2">
      {downloadsOf(job).map(({ url, ending, label }, at) => (
        <Button
          key={url}
          {...(at === 0 && { kind: 'primary' })}
          icon={<Download size={16} aria-hidden />}
          onClick={() => saveLink(url, `guise-${job.id}.${ending}`)}
        >
          {label}
        </Button>
      ))}
      {job.can_retry && (
        <Button busy={working !== undefined} icon={<RotateCcw size={16} aria-hidden />} onClick={retry}>
          {say('Retry')}
        </Button>
      )}
      {job.params !== null && (
        <Link to={`/?again=${job.id}` as string} className={plainLink}>
          <Repeat2 size={16} aria-hidden />
          {say('Again with…')}
        </Link>
      )}
      {!hasEnded(job) && (
        <Confirm
          trigger={<Button icon={<X size={16} aria-hidden />}>{say('Cancel')}</Button>}
          title={say('Cancel this job?')}
          text={say('It ends without a result and its credits are returned.')}
          action={say('Cancel it')}
          onConfirm={async () => {
            await act('cancel', [job.id]);
            onChanged();
          }}
        />
      )}
      <CopyButton text={job.id} label={say('Copy id')} />
      <Confirm
        trigger={
          <Button kind="danger" icon={<Trash2 size={16} aria-hidden />}>
            {say('Erase')}
          </Button>
        }
        title={say('Erase this job?')}
        text={say(
          'Its photos and its result are deleted now, everywhere, and cannot be restored. Charged credits are not returned.',
        )}
        action={say('Erase it')}
        onConfirm={async () => {
          const [result] = await act('erase', [job.id]);
          if (result?.ok) await navigate({ to: '/studio/jobs' });
        }}
      />
    </div>
  );
}
