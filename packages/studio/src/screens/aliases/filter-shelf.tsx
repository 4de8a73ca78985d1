import { say } from '../../words/say.ts';
import { dragFilter } from './filter-drag.ts';
import { OwnFilterWall } from './own-filter-wall.tsx';

/** The account's filters beside the slots, to be dragged onto them. */
export function FilterShelf() {
  return (
    <aside
      aria-label={say('Your filters')}
      className="w-76 shrink-0 overflow-y-auto border-l p-5 max-xl:hidden [@media(hover:none)]:hidden"
    >
      <h2>{say('Your filters')}</h2>
      <p className="mb-4 text-small text-ink-soft">{say('Drag one onto a slot, or onto its safe filter.')}</p>
      <OwnFilterWall
        columns="grid-cols-2"
        frameProps={({ id }) => ({ ...dragFilter(id), className: 'cursor-grab active:cursor-grabbing' })}
      />
    </aside>
  );
}
