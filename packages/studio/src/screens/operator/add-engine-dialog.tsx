import type { EngineList, EngineTest, NewEngineInput } from '@guise/contract/operator.ts';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { familyWords } from './engine-words.ts';
import { StateMark } from './state-mark.tsx';

type EngineType = NewEngineInput['type'];
type Use = NonNullable<NewEngineInput['uses']>[number];

interface TypeWords {
  label: string;
  text: string;
  url: string;
  keyLabel: string;
  /** Whether a model is named, and what it may make. */
  model: string | null;
  uses: readonly Use[];
}

const types: Readonly<Record<EngineType, TypeWords>> = {
  comfyui: {
    label: 'A ComfyUI server',
    text: 'Your own GPU. The server says what it has, and with that what it makes.',
    url: 'http://10.0.0.5:8188',
    keyLabel: 'Token of a proxy in front of it (optional)',
    model: null,
    uses: [],
  },
  guise: {
    label: 'Another Guise',
    text: 'An installation on a stronger machine. Its account is charged.',
    url: 'https://guise.example.com',
    keyLabel: 'Key of an account there',
    model: null,
    uses: ['filters', 'prompts', 'videos'],
  },
  openai_images: {
    label: 'A picture service (OpenAI’s interface)',
    text: 'OpenAI, and servers that speak the same, such as stable-diffusion.cpp on a machine of yours.',
    url: 'https://api.openai.com/v1',
    keyLabel: 'Key (optional for a server of yours)',
    model: 'gpt-image-2',
    uses: ['filters', 'prompts'],
  },
  fal: {
    label: 'fal',
    text: 'A service that charges for each picture or video.',
    url: 'https://queue.fal.run',
    keyLabel: 'Key',
    model: 'fal-ai/flux-2/klein/4b/edit',
    uses: ['filters', 'prompts', 'videos'],
  },
};

const useWords: Readonly<Record<Use, string>> = {
  filters: 'Pictures of filters and styles',
  prompts: 'Pictures of words',
  videos: 'Videos',
};

const isHosted = (type: EngineType) => type === 'openai_images' || type === 'fal';

interface AddEngineDialogProps {
  onAdded(list: EngineList): void;
  onClose(): void;
}

/** Another engine. It is asked before it is saved, and saved only where it answers. */
export function AddEngineDialog({ onAdded, onClose }: AddEngineDialogProps) {
  const guise = useGuise();
  const [engine, setEngine] = useState<NewEngineInput>({
    name: '',
    type: 'comfyui',
    url: '',
    fallback: true,
  });
  const words = types[engine.type];
  const test = useMutation({ mutationFn: () => guise.operator.testEngine(engine) });
  const add = useMutation({
    mutationFn: () => guise.operator.addEngine(engine),
    onSuccess(list) {
      onAdded(list);
      onClose();
    },
  });
  const change = (part: Partial<NewEngineInput>) => {
    setEngine((before) => ({ ...before, ...part }));
    // What was said is of what was asked.
    test.reset();
    add.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (test.data?.ok) add.mutate();
    else test.mutate();
  };
  const isWhole =
    engine.name !== '' &&
    engine.url !== '' &&
    (words.uses.length === 0 || !!engine.uses?.length) &&
    // Whoever routes jobs there lets photos go there.
    (engine.type !== 'fal' || engine.photos_leave === true);
  return (
    <Dialog open title="Add an engine" onClose={onClose}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        <EngineFields engine={engine} onChange={change} />
        <div className="sticky -bottom-5 -mx-5 flex flex-col gap-3 border-t bg-raised px-5 py-3">
          {test.data && <Answer answer={test.data} />}
          {(test.error ?? add.error) && <Problem error={(test.error ?? add.error)!} />}
          <div className="flex justify-end gap-2">
            <Button kind="quiet" onClick={onClose}>
              Not now
            </Button>
            <Button kind="primary" type="submit" disabled={!isWhole} busy={test.isPending || add.isPending}>
              {test.data?.ok ? 'Add the engine' : 'Test the connection'}
            </Button>
          </div>
        </div>
      </form>
    </Dialog>
  );
}

interface EngineFieldsProps {
  engine: NewEngineInput;
  onChange(part: Partial<NewEngineInput>): void;
}

function EngineFields({ engine, onChange }: EngineFieldsProps) {
  const words = types[engine.type];
  return (
    <>
      <SelectField
        label="Kind"
        value={engine.type}
        options={Object.entries(types).map(([value, { label }]) => ({ value, label }))}
        onChange={({ target }) => {
          const type = target.value as EngineType;
          onChange({
            type,
            url: type === 'fal' ? types.fal.url : '',
            uses: [],
            model: '',
            photos_leave: false,
          });
        }}
      />
      <p className="text-small text-ink-soft">{words.text}</p>
      <TextField
        label="Name"
        placeholder="studio-gpu"
        autoComplete="off"
        value={engine.name}
        onChange={({ target }) => onChange({ name: target.value.trim().toLowerCase() })}
      />
      <TextField
        label="Address"
        inputMode="url"
        placeholder={words.url}
        autoComplete="off"
        value={engine.url}
        onChange={({ target }) => onChange({ url: target.value.trim() })}
      />
      <TextField
        label={words.keyLabel}
        type="password"
        autoComplete="off"
        value={engine.key ?? ''}
        onChange={({ target }) => onChange({ key: target.value })}
      />
      {words.model !== null && (
        <TextField
          label="Model"
          placeholder={words.model}
          autoComplete="off"
          value={engine.model ?? ''}
          onChange={({ target }) => onChange({ model: target.value.trim() })}
        />
      )}
      <UseChoice engine={engine} onChange={onChange} />
      {isHosted(engine.type) && (
        <Check
          label="Photos of guests may go to this company. Guests are told, and events have to allow it."
          checked={engine.photos_leave ?? false}
          onChange={(photos_leave) => onChange({ photos_leave })}
        />
      )}
      <Check
        label="This machine makes what the engine could not."
        checked={engine.fallback ?? true}
        onChange={(fallback) => onChange({ fallback })}
      />
    </>
  );
}

function UseChoice({ engine, onChange }: EngineFieldsProps) {
  const { uses } = types[engine.type];
  if (uses.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">What it makes</legend>
      {uses.map((use) => (
        <Check
          key={use}
          label={useWords[use]}
          checked={engine.uses?.includes(use) ?? false}
          onChange={(wanted) => {
            const others = (engine.uses ?? []).filter((other) => other !== use);
            onChange({ uses: wanted ? [...others, use] : others });
          }}
        />
      ))}
    </fieldset>
  );
}

interface CheckProps {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="flex min-h-9 items-center gap-3">
      <input
        type="checkbox"
        className="size-4.5 shrink-0 accent-accent"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      {label}
    </label>
  );
}

/** What the engine said, and what it would make. */
function Answer({ answer: { ok, says, missing, families } }: { answer: EngineTest }) {
  return (
    <div role="status" className="flex gap-2">
      <StateMark ok={ok} label={ok ? 'It can be used' : 'It cannot be used'} />
      <div className="min-w-0 text-small">
        <p className={ok ? '' : 'text-lost'}>{says}</p>
        {ok && <p className="text-ink-soft">It makes: {familyWords(families)}</p>}
        {missing.length > 0 && <p className="text-ink-soft">It lacks {missing.join(', ')}.</p>}
      </div>
    </div>
  );
}
