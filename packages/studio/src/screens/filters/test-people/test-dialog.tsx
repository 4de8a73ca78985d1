import { Compare } from '../../../ui/compare.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { say } from '../../../words/say.ts';
import { TestNotes } from './test-notes.tsx';
import type { TestPerson } from './test-people.ts';
import type { DraftTest } from './use-draft-tests.ts';

/** A test picture in full, with its photo under the slider. */
export function TestDialog(props: { person: TestPerson; test: DraftTest | undefined; onClose(): void }) {
  const { person, test, onClose } = props;
  return (
    <Dialog open wide title={person.name} onClose={onClose}>
      <div className="flex flex-col items-center gap-4">
        {test?.url && (
          <Compare
            before={person.full}
            after={test.url}
            alt={say('{name} with the filter', { name: person.name })}
            size="max-h-[70dvh]"
          />
        )}
        <div className="w-full text-small">
          <TestNotes test={test} />
        </div>
      </div>
    </Dialog>
  );
}
