import type { CustomDefinition } from '@guise/contract/filters.ts';
import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { say } from '../../../words/say.ts';
import type { EditedFilter } from '../definition/edited-filter.ts';
import { hasUsableFace, templateCheckQuery } from '../definition/template-check.ts';
import { useFilterOptions } from '../definition/use-filter-options.ts';
import { TestDialog } from './test-dialog.tsx';
import { TestPeopleChoice } from './test-people-choice.tsx';
import { TestPicture } from './test-picture.tsx';
import { TestSummary } from './test-summary.tsx';
import { useDraftTests } from './use-draft-tests.ts';
import { useTestPeople } from './use-test-people.ts';

interface TestStripProps {
  edited: EditedFilter;
  /** Undefined while something is missing. */
  definition: CustomDefinition | undefined;
}

/** What the filter makes of test people, as it is now. Uncharged. */
export function TestStrip({ edited, definition }: TestStripProps) {
  const { filterType } = edited;
  const choice = useTestPeople(filterType);
  const { people } = choice;
  const isKnownKind = useFilterOptions().data?.kinds.some(
    ({ name, filter_types }) => name === definition?.kind && filter_types.includes(filterType),
  );
  const canBeMade = useCanReplaceFace(edited) && isKnownKind;
  const { tests, isBusy, cancel, again } = useDraftTests(
    filterType,
    canBeMade ? definition : undefined,
    people,
  );
  const [shown, setShown] = useState<string>();
  const shownPerson = people.find(({ key }) => key === shown);
  return (
    <section aria-label={say('Test people')} className="flex flex-col gap-3 max-lg:gap-2 max-lg:pt-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="max-lg:sr-only">{say('Test people')}</h2>
        <div className="flex flex-1 items-center justify-end gap-1 max-lg:justify-between">
          <TestPeopleChoice choice={choice} />
          {isBusy ? (
            <Button kind="quiet" onClick={cancel}>
              {say('Stop')}
            </Button>
          ) : (
            <Button
              kind="quiet"
              icon={<RotateCw size={15} aria-hidden />}
              disabled={!canBeMade}
              onClick={again}
            >
              {say('Again')}
            </Button>
          )}
        </div>
      </div>
      <ul
        className={`flex gap-3 max-lg:overflow-x-auto max-lg:p-0.5 ${filterType === 'face_swap' ? 'flex-wrap max-lg:flex-nowrap' : 'lg:flex-col'}`}
      >
        {people.map((person) => (
          <li
            key={person.key}
            className={`min-w-0 shrink-0 max-lg:w-auto ${filterType === 'face_swap' ? 'lg:w-[calc(50%-0.375rem)]' : ''}`}
          >
            <TestPicture
              person={person}
              test={tests.get(person.key)}
              wide={filterType === 'multi_swap'}
              onOpen={() => setShown(person.key)}
            />
          </li>
        ))}
      </ul>
      <TestSummary tests={people.flatMap(({ key }) => tests.get(key) ?? [])} />
      <p role="status" className="sr-only">
        {isBusy ? say('Making the test pictures.') : ''}
      </p>
      {shownPerson && (
        <TestDialog
          person={shownPerson}
          test={tests.get(shownPerson.key)}
          onClose={() => setShown(undefined)}
        />
      )}
    </section>
  );
}

/** False while the faces of a template are looked for, and where none of them can be replaced: each test would fail. */
function useCanReplaceFace({ kind, template }: EditedFilter): boolean {
  const guise = useGuise();
  const check = useQuery(templateCheckQuery(guise, kind === 'template' ? template : undefined));
  return !check.isLoading && (!check.data || hasUsableFace(check.data));
}
