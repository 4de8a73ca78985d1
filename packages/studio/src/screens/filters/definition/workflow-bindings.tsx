import type { WorkflowCheck } from '@guise/contract/definition-checks.ts';
import type { Place } from '@guise/contract/workflow.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { PickedBindings } from './edited-filter.ts';
import { type PlaceOption, PlacePicker } from './place-picker.tsx';

type Node = WorkflowCheck['nodes'][number];

interface WorkflowBindingsProps {
  nodes: Node[];
  bindings: PickedBindings;
  onChange(bindings: PickedBindings): void;
}

const simple = [
  { field: 'prompt', label: say('Prompt'), hint: say('The words of the guest or of the filter') },
  { field: 'gender', label: say('Gender'), hint: say('As a word, such as woman') },
  { field: 'ratio', label: say('Shape'), hint: say('portrait, landscape or square') },
  { field: 'seed', label: say('Seed'), hint: say('A new number for every run') },
] as const;

/** Inputs and output in a workflow. */
export function WorkflowBindings({ nodes, bindings, onChange }: WorkflowBindingsProps) {
  const options = placeOptions(nodes);
  const set = (field: keyof PickedBindings, places: Place[]) => {
    const { [field]: _left, ...rest } = bindings;
    onChange({ ...rest, ...(places.length > 0 && { [field]: places }) } as PickedBindings);
  };
  const pickers = { options, bindings, onChange };
  return (
    <div className="flex flex-col gap-4">
      <h2>{say('Inputs and output')}</h2>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <PlacePicker
          label={say('Photo of the guest')}
          hint={say('One input for each photo, in order')}
          most={5}
          options={options}
          places={bindings.photos}
          onChange={(photos) => onChange({ ...bindings, photos })}
        />
        <SelectField
          label={say('Node that saves the result')}
          hint={say('Such as SaveImage')}
          value={bindings.output ?? ''}
          options={[
            { value: '', label: say('Choose a node') },
            ...nodes.map((node) => ({ value: node.id, label: nodeLabel(node) })),
          ]}
          onChange={(event) => onChange({ ...bindings, output: event.target.value || null })}
        />
        {simple.map(({ field, label, hint }) => (
          <PlacePicker
            key={field}
            label={label}
            hint={hint}
            options={options}
            places={bindings[field] ?? []}
            onChange={(places) => set(field, places)}
          />
        ))}
        <SizePickers {...pickers} />
        <SentencePicker {...pickers} />
      </div>
    </div>
  );
}

interface PickersProps extends Omit<WorkflowBindingsProps, 'nodes'> {
  options: PlaceOption[];
}

function SizePickers({ options, bindings, onChange }: PickersProps) {
  const { size, ...rest } = bindings;
  const set = (side: 'width' | 'height', places: Place[]) => {
    const next = { multiple: 8, width: [], height: [], ...size, [side]: places };
    const isEmpty = next.width.length === 0 && next.height.length === 0;
    onChange({ ...rest, ...(!isEmpty && { size: next }) });
  };
  return (
    <>
      <PlacePicker
        label={say('Width')}
        options={options}
        places={size?.width ?? []}
        onChange={(places) => set('width', places)}
      />
      <PlacePicker
        label={say('Height')}
        options={options}
        places={size?.height ?? []}
        onChange={(places) => set('height', places)}
      />
    </>
  );
}

/** Where a text goes that has the words and the gender in it, and the text. */
function SentencePicker({ options, bindings, onChange }: PickersProps) {
  const { texts: bound = [], ...rest } = bindings;
  const [text, ...others] = bound;
  const set = (next: typeof text) => {
    const texts = next ? [next, ...others] : others;
    onChange({ ...rest, ...(texts.length > 0 && { texts }) });
  };
  return (
    <>
      <PlacePicker
        label={say('Sentence')}
        hint={say('A text around the words and the gender')}
        options={options}
        places={text ? [text] : []}
        onChange={([place]) => set(place && { text: '{prompt}', ...text, ...place })}
      />
      {text && (
        <TextArea
          label={say('Text of the sentence')}
          hint={say('{prompt} and {gender} are replaced in it', {
            prompt: '{prompt}',
            gender: '{gender}',
          })}
          rows={3}
          maxLength={4000}
          value={text.text}
          onChange={(event) => set({ ...text, text: event.target.value })}
        />
      )}
    </>
  );
}

/** The inputs that no other node gives. */
function placeOptions(nodes: Node[]): PlaceOption[] {
  return nodes.flatMap((node) =>
    node.inputs
      .filter(({ linked }) => !linked)
      .map(({ name }) => ({ place: { node: node.id, input: name }, label: `${nodeLabel(node)}: ${name}` })),
  );
}

const nodeLabel = ({ id, title, type }: Node) => `${id} ${title || type}`;
