import { ChevronDown } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { say } from '../../../words/say.ts';
import { sampleSetId, type TestPeople } from './use-test-people.ts';

const AddPerson = lazy(() => import('./add-person.tsx').then((m) => ({ default: m.AddPerson })));

/** Which people the filter is tried on. */
export function TestPeopleChoice({ choice }: { choice: TestPeople }) {
  const [isAdding, setAdding] = useState(false);
  const name = choice.sets.find(({ id }) => id === choice.setId)?.name ?? say('Sample photos');
  return (
    <>
      <Menu
        label={say('Test people: {name}', { name })}
        className="inline-flex min-h-10 max-w-48 items-center gap-1 rounded-card px-2.5 text-ink-soft max-lg:-ml-2.5 hover:bg-panel hover:text-ink"
        trigger={
          <>
            <span className="truncate">{name}</span>
            <ChevronDown size={15} className="shrink-0" aria-hidden />
          </>
        }
      >
        <MenuItem isChosen={choice.setId === sampleSetId} onClick={() => choice.choose(sampleSetId)}>
          {say('Sample photos')}
        </MenuItem>
        {choice.sets.map((set) => (
          <MenuItem
            key={set.id}
            disabled={set.photo_count === 0}
            isChosen={set.id === choice.setId}
            onClick={() => choice.choose(set.id)}
          >
            {set.name}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onClick={() => setAdding(true)}>{say('Add a person…')}</MenuItem>
      </Menu>
      <Suspense>{isAdding && <AddPerson onAdd={choice.add} onClose={() => setAdding(false)} />}</Suspense>
    </>
  );
}
