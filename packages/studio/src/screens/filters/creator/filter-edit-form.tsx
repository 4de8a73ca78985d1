import { ChangedElsewhere } from '../../../ui/changed-elsewhere.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import { DefinitionEditor } from '../definition/definition-editor.tsx';
import { missingIn } from '../definition/edited-filter.ts';
import { TestStrip } from '../test-people/test-strip.tsx';
import { CreatorLayout } from './creator-layout.tsx';
import { workedOn } from './saved-filter.ts';
import type { useFilterEdit } from './use-filter-edit.ts';

/** The definition of a saved filter, beside what it makes of test people. */
export function FilterEditForm({ edit }: { edit: ReturnType<typeof useFilterEdit> }) {
  const { edited, setEdited } = edit;
  const missing = missingIn(edited);
  return (
    <CreatorLayout strip={<TestStrip edited={edited} definition={edit.definition} />}>
      {edit.isChangedElsewhere && (
        <ChangedElsewhere
          text={say(
            'This filter was changed elsewhere meanwhile; the newest is version {version}. Your changes are still here.',
            { version: workedOn(edit) },
          )}
          onLoad={edit.loadNewer}
          onKeep={edit.keepMine}
        />
      )}
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <TextField
          label={say('Name')}
          value={edited.name}
          maxLength={120}
          error={edited.name.trim() ? undefined : say('Give the filter a name.')}
          onChange={(event) => setEdited({ ...edited, name: event.target.value })}
        />
        <TextField
          label={say('What is new')}
          value={edit.note}
          maxLength={500}
          placeholder={say('Optional, for the list of versions')}
          onChange={(event) => edit.setNote(event.target.value)}
        />
      </div>
      <DefinitionEditor edited={edited} onChange={setEdited} isTypeFixed />
      {missing && <p className="text-ink-soft">{missing}</p>}
    </CreatorLayout>
  );
}
