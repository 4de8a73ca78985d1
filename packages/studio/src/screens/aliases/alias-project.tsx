import { Plus, ShieldCheck } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { say } from '../../words/say.ts';
import { Slot } from './slot.tsx';
import { useAliasActions } from './use-alias-actions.ts';
import type { Project } from './use-aliases.ts';

interface AliasProjectProps {
  project: Project;
  onAdd(): void;
}

/** The slots of a project. */
export function AliasProject({ project, onAdd }: AliasProjectProps) {
  const { switchToSafe } = useAliasActions();
  const risky = project.aliases.filter(
    ({ safe_filter, ai_filter }) => safe_filter !== null && safe_filter !== ai_filter,
  );
  const name = project.name || say('No project');
  return (
    <section aria-label={name}>
      <div className="mb-3 flex min-h-10 flex-wrap items-center gap-x-2 border-b">
        <h2 className="min-w-0 truncate">{name}</h2>
        <span className="text-small text-ink-soft">
          {project.aliases.length === 1
            ? say('1 slot')
            : say('{count} slots', { count: project.aliases.length })}
        </span>
        <span className="flex-1" />
        {risky.length > 1 && (
          <Button
            kind="quiet"
            className="px-2! text-small"
            icon={<ShieldCheck size={17} aria-hidden />}
            onClick={() => void switchToSafe(risky)}
          >
            {say('Switch all to safe')}
          </Button>
        )}
        <IconButton label={say('Add a slot to {name}', { name })} onClick={onAdd}>
          <Plus size={18} aria-hidden />
        </IconButton>
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-8 md:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] md:gap-x-6">
        {project.aliases.map((alias) => (
          <Slot key={alias.id} alias={alias} />
        ))}
      </ul>
    </section>
  );
}
