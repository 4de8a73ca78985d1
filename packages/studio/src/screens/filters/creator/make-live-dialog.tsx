import type {
  CheckedVersion,
  CustomFilterDetail,
  CustomFilterVersion,
} from '@guise/contract/filter-details.ts';
import { shortId } from '../../../ui/short-id.ts';
import { say } from '../../../words/say.ts';
import { GoLiveDialog } from '../../drafts/go-live-dialog.tsx';

interface MakeLiveDialogProps {
  detail: CustomFilterDetail;
  version: CustomFilterVersion & Partial<Pick<CheckedVersion, 'outcome' | 'checks'>>;
  onClose(): void;
  onConfirm(): Promise<unknown>;
}

/** Says which slots and events will run another version, before they do. */
export function MakeLiveDialog({ detail, version, onClose, onConfirm }: MakeLiveDialogProps) {
  const { outcome = null, checks = [] } = version;
  const isWide = detail.filter_type === 'multi_swap';
  return (
    <GoLiveDialog
      title={say('Make version {version} live?', { version: version.version })}
      pictures={{
        now: {
          src: detail.preview_images[0] ?? null,
          caption: say('Now: version {version}', { version: detail.version }),
          isWide,
        },
        next: {
          src: version.preview_images[0] ?? null,
          caption: say('Then: version {version}', { version: version.version }),
          isWide,
        },
      }}
      checked={version.draft ? { outcome, checks } : undefined}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <Uses detail={detail} />
    </GoLiveDialog>
  );
}

function Uses({ detail: { aliases, events } }: { detail: CustomFilterDetail }) {
  if (aliases.length + events.length === 0)
    return (
      <p className="text-ink-soft">
        {say('No slot or event uses this filter, so nothing changes for guests.')}
      </p>
    );
  return (
    <div className="flex flex-col gap-2">
      <p>{say('These run it from the next photo on:')}</p>
      <ul className="border-t">
        {aliases.map(({ id, project }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 border-b py-1.5">
            <span className="min-w-0 truncate">
              {project ? say('Slot in {project}', { project }) : say('Slot in no project')}
            </span>
            <code className="text-small text-ink-soft">{shortId(id)}</code>
          </li>
        ))}
        {events.map(({ id, name, open }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-3 border-b py-1.5">
            <span className="min-w-0 truncate">{say('Event {name}', { name })}</span>
            <span className="text-small text-ink-soft">{open ? say('Open now') : say('Not open now')}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
