import type { FilterOptions } from '@guise/contract/filter-options.ts';
import { Problem } from '../../../ui/problem.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { say } from '../../../words/say.ts';
import type { DefinitionKind, EditedFilter } from './edited-filter.ts';
import { PromptEditor } from './prompt-editor.tsx';
import { SceneEditor } from './scene-editor.tsx';
import { TemplateEditor } from './template-editor.tsx';
import { useFilterOptions } from './use-filter-options.ts';
import { WorkflowEditor } from './workflow-editor.tsx';

const kinds: { value: DefinitionKind; label: string }[] = [
  { value: 'prompt', label: say('Words') },
  { value: 'template', label: say('Picture') },
  { value: 'scene', label: say('Scene') },
  { value: 'workflow', label: say('Workflow') },
];

interface DefinitionEditorProps {
  edited: EditedFilter;
  onChange(edited: EditedFilter): void;
  /** The type of a saved filter cannot be changed. */
  isTypeFixed?: boolean;
}

/** What the filter is made from, and the fields of that. */
export function DefinitionEditor({ edited, onChange, isTypeFixed = false }: DefinitionEditorProps) {
  const { data, error, refetch } = useFilterOptions();
  return (
    <section aria-label={say('What it is made from')} className="flex flex-col gap-5">
      <div className="flex flex-col gap-1">
        <span className="text-small font-medium">{say('Made from')}</span>
        <Segmented
          label={say('Made from')}
          className="self-start max-sm:w-full"
          value={edited.kind}
          options={kinds}
          onChange={(kind) => onChange({ ...edited, kind })}
        />
      </div>
      <KindNote options={data} edited={edited} onChange={onChange} isTypeFixed={isTypeFixed} />
      {edited.kind === 'prompt' && (
        <PromptEditor
          options={data}
          prompt={edited.prompt}
          onChange={(prompt) => onChange({ ...edited, prompt })}
        />
      )}
      {edited.kind === 'template' && edited.filterType === 'face_swap' && (
        <TemplateEditor
          template={edited.template}
          onChange={(template) => onChange({ ...edited, template })}
        />
      )}
      {edited.kind === 'scene' &&
        (error ? (
          <Problem error={error} onRetry={() => void refetch()} />
        ) : (
          <SceneEditor
            options={data}
            scene={edited.scene}
            onChange={(scene) => onChange({ ...edited, scene })}
          />
        ))}
      {edited.kind === 'workflow' && (
        <WorkflowEditor edited={edited.workflow} onChange={(workflow) => onChange({ ...edited, workflow })} />
      )}
    </section>
  );
}

/** Says where a kind does not fit the type of the filter, or this server. */
function KindNote(props: DefinitionEditorProps & { options: FilterOptions | undefined }) {
  const { edited, onChange, options, isTypeFixed } = props;
  const types = options?.kinds.find(({ name }) => name === edited.kind)?.filter_types;
  if (types?.length === 0)
    return (
      <p className="text-ink-soft">
        {edited.kind === 'workflow'
          ? say('No engine of this server can run workflows. An operator connects one, such as ComfyUI.')
          : say('No engine of this server can run such a filter. An operator connects one, such as ComfyUI.')}
      </p>
    );
  if (edited.kind === 'template' && edited.filterType !== 'face_swap')
    return (
      <p className="text-ink-soft">
        {say('A picture can be a filter for one person only.')}{' '}
        {!isTypeFixed && (
          <button
            type="button"
            className="text-accent-ink underline"
            onClick={() => onChange({ ...edited, filterType: 'face_swap' })}
          >
            {say('Make it for one person')}
          </button>
        )}
      </p>
    );
  return null;
}
