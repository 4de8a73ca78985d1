import type { CustomFilterVersion, ShownDefinition } from '@guise/contract/filter-details.ts';
import { Button } from '../../../ui/button.tsx';
import { shortTime } from '../../../ui/format-time.ts';
import { PictureCard } from '../../../ui/picture-card.tsx';
import { say } from '../../../words/say.ts';

interface VersionCardProps {
  version: CustomFilterVersion;
  /** Whether it is the draft that is worked on. */
  isOpen: boolean;
  ratio: '2/3' | '3/2';
  isBusy: boolean;
  onRestore(): void;
  onOpen(): void;
}

/** A version with what it was made from, and the way back to it. */
export function VersionCard({ version, ratio, isOpen, isBusy, onRestore, onOpen }: VersionCardProps) {
  const { definition, note } = version;
  const template = definition.kind === 'template' ? definition.image_url : undefined;
  return (
    <div className="flex min-w-0 flex-col items-start">
      <div className="w-full">
        <PictureCard
          src={version.preview_images[0] ?? template}
          name={say('Version {version}', { version: version.version })}
          note={shortTime(version.created_at)}
          ratio={ratio}
        />
      </div>
      {note && <p className="mt-1 text-small">{note}</p>}
      <p className="mt-1 line-clamp-3 text-small text-ink-soft">{madeFrom(definition)}</p>
      {version.current ? (
        <p className="mt-2 text-small font-medium text-good">{say('Live')}</p>
      ) : isOpen ? (
        <p className="mt-2 text-small font-medium text-accent-ink">{say('Draft, open')}</p>
      ) : version.draft ? (
        <Button className="mt-2 min-h-9 text-small" disabled={isBusy} onClick={onOpen}>
          {say('Open draft {version}', { version: version.version })}
        </Button>
      ) : (
        <Button className="mt-2 min-h-9 text-small" disabled={isBusy} onClick={onRestore}>
          {say('Go back to version {version}', { version: version.version })}
        </Button>
      )}
    </div>
  );
}

/** A definition in a few words. */
function madeFrom(definition: ShownDefinition): string {
  switch (definition.kind) {
    case 'prompt':
      return definition.prompt;
    case 'template':
      return say('A picture');
    case 'workflow':
      return say('A workflow of {count} nodes', { count: Object.keys(definition.workflow).length });
    case 'scene': {
      const { kind: _kind, ...parts } = definition;
      return Object.values(parts)
        .filter((part) => part !== undefined)
        .map((part) => part.replaceAll('-', ' '))
        .join(', ');
    }
  }
}
