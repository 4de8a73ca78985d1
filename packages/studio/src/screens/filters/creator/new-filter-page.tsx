import type { NewCustomFilter } from '@guise/contract/catalogs.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { DefinitionEditor } from '../definition/definition-editor.tsx';
import { type EditedFilter, emptyFilter, missingIn } from '../definition/edited-filter.ts';
import { assertUsableTemplate } from '../definition/template-check.ts';
import { useDefinition } from '../definition/use-definition.ts';
import { TestStrip } from '../test-people/test-strip.tsx';
import { typeLabels } from '../wanted.ts';
import { CreatorHeader } from './creator-header.tsx';
import { CreatorLayout } from './creator-layout.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { SaveProblem } from './save-problem.tsx';

export const Route = createLazyRoute('/shell/studio/filters/new')({ component: NewFilterPage });

const types = Object.entries(typeLabels).map(([value, label]) => ({
  value: value as keyof typeof typeLabels,
  label,
}));

/** Makes a filter: what it is on one side, what it makes of test people on the other. */
function NewFilterPage() {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [edited, setEdited] = useState<EditedFilter>(emptyFilter);
  const [isAsked, setAsked] = useState(false);
  const definition = useDefinition(edited);
  const missing = [edited.name.trim() ? undefined : say('Give the filter a name.'), missingIn(edited)].filter(
    (sentence) => sentence !== undefined,
  );
  const change = (next: EditedFilter) => {
    setEdited(next);
    setAsked(false);
    save.reset();
  };

  const save = useMutation({
    async mutationFn(body: NewCustomFilter) {
      await assertUsableTemplate(guise, queries, edited);
      return guise.customFilters.create(body);
    },
    onSuccess: async ({ id, name }) => {
      await queries.invalidateQueries({ queryKey: ['filters'] });
      toast.tell(say('{name} is saved.', { name }));
      await navigate({ to: '/studio/filters/$id', params: { id }, replace: true, ignoreBlocker: true });
    },
  });
  const submit = () => {
    setAsked(true);
    if (definition && edited.name.trim())
      save.mutate({ name: edited.name.trim(), filter_type: edited.filterType, definition });
  };

  return (
    <>
      <LeaveGuard isChanged={edited !== emptyFilter && !save.isPending} />
      <CreatorHeader title={say('New filter')}>
        <Button kind="primary" busy={save.isPending} onClick={submit}>
          {say('Save filter')}
        </Button>
      </CreatorHeader>
      <SaveProblem missing={isAsked ? missing : []} error={save.error} />
      <CreatorLayout strip={<TestStrip edited={edited} definition={definition} />}>
        <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
          <div className="min-w-0 flex-1 basis-64">
            <TextField
              label={say('Name')}
              value={edited.name}
              maxLength={120}
              error={isAsked && !edited.name.trim() ? say('Give the filter a name.') : undefined}
              onChange={(event) => change({ ...edited, name: event.target.value })}
            />
          </div>
          <div className="flex flex-col gap-1">
            <span className="text-small font-medium">{say('For')}</span>
            <Segmented
              label={say('For how many people')}
              value={edited.filterType}
              options={types}
              onChange={(filterType) => change({ ...edited, filterType })}
            />
          </div>
        </div>
        <DefinitionEditor edited={edited} onChange={change} />
      </CreatorLayout>
    </>
  );
}
