import type {
  CheckedVersion,
  CustomFilterDetail,
  CustomFilterVersion,
} from '@guise/contract/filter-details.ts';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { shortId } from '../../../ui/short-id.ts';
import { FilterThumb } from '../../aliases/filter-thumb.tsx';

interface MakeLiveDialogProps {
  detail: CustomFilterDetail;
  version: CustomFilterVersion & Partial<Pick<CheckedVersion, 'outcome' | 'checks'>>;
  onClose(): void;
  onConfirm(): Promise<unknown>;
}

/** Says which slots and events will run another version, before they do. */
export function MakeLiveDialog({ detail, version, onClose, onConfirm }: MakeLiveDialogProps) {
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isUnchecked = version.draft && (version.outcome === 'waiting' || version.outcome === null);
  const ratio = detail.filter_type === 'multi_swap' ? 'aspect-[3/2]' : 'aspect-[2/3]';
  return (
    <Dialog open title={`Make version ${version.version} live?`} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <figure>
            <FilterThumb src={detail.preview_images[0] ?? null} className={`w-full ${ratio}`} />
            <figcaption className="mt-1 text-small text-ink-soft">Now: version {detail.version}</figcaption>
          </figure>
          <figure>
            <FilterThumb src={version.preview_images[0] ?? null} className={`w-full ${ratio}`} />
            <figcaption className="mt-1 text-small">Then: version {version.version}</figcaption>
          </figure>
        </div>
        <Uses detail={detail} />
        {isUnchecked && (
          <p className="text-accent-ink">The checks have not ended: nobody knows yet whether it works.</p>
        )}
        {version.outcome === 'warned' && (
          <ul aria-label="What the checks found" className="text-accent-ink">
            {(version.checks ?? []).flatMap(({ photo, sentences }) =>
              sentences.map((sentence) => (
                <li key={`${photo} ${sentence}`}>{photo === null ? sentence : `${photo}: ${sentence}`}</li>
              )),
            )}
          </ul>
        )}
        {confirm.error && <Problem error={confirm.error} />}
        <div className="flex justify-end gap-2">
          <Button kind="quiet" onClick={onClose}>
            Not now
          </Button>
          <Button kind="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
            {isUnchecked ? 'Make live anyway' : 'Make live'}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Uses({ detail: { aliases, events } }: { detail: CustomFilterDetail }) {
  if (aliases.length + events.length === 0)
    return <p className="text-ink-soft">No slot or event uses this filter, so nothing changes for guests.</p>;
  return (
    <div className="flex flex-col gap-2">
      <p>These run it from the next photo on:</p>
      <ul className="border-t">
        {aliases.map(({ id, project }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 border-b py-1.5">
            <span className="min-w-0 truncate">Slot in {project || 'no project'}</span>
            <code className="text-small text-ink-soft">{shortId(id)}</code>
          </li>
        ))}
        {events.map(({ id, name, open }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 border-b py-1.5">
            <span className="min-w-0 truncate">Event {name}</span>
            <span className="text-small text-ink-soft">{open ? 'Open now' : 'Not open now'}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
