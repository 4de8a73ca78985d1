import type { NewEngineInput } from '@guise/contract/operator/engine-setup.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';

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
    label: say('A ComfyUI server'),
    text: say(
      'Your own GPU. The server says what it has, and with that what it makes. What it lacks can be downloaded.',
    ),
    url: 'http://10.0.0.5:8188',
    keyLabel: say('Token of a proxy in front of it (optional)'),
    model: null,
    uses: [],
  },
  runpod: {
    label: say('A rented GPU at RunPod'),
    text: say(
      'A serverless endpoint with the public ComfyUI worker, and a volume with the models. Each job is paid for by the second.',
    ),
    url: 'https://api.runpod.ai/v2/abc123',
    keyLabel: say('API key'),
    model: null,
    uses: ['filters', 'prompts', 'videos'],
  },
  guise: {
    label: say('Another Guise'),
    text: say('An installation on a stronger machine. Its account is charged.'),
    url: 'https://guise.example.com',
    keyLabel: say('Key of an account there'),
    model: null,
    uses: ['filters', 'prompts', 'videos'],
  },
  openai_images: {
    label: say('A picture service (OpenAI’s interface)'),
    text: say('OpenAI, and servers that speak the same, such as stable-diffusion.cpp on a machine of yours.'),
    url: 'https://api.openai.com/v1',
    keyLabel: say('Key (optional for a server of yours)'),
    model: 'gpt-image-2',
    uses: ['filters', 'prompts'],
  },
  fal: {
    label: 'fal',
    text: say('A service that charges for each picture or video.'),
    url: 'https://queue.fal.run',
    keyLabel: say('Key'),
    model: 'fal-ai/flux-2/klein/4b/edit',
    uses: ['filters', 'prompts', 'videos'],
  },
};

const useWords: Readonly<Record<Use, string>> = {
  filters: say('Pictures of filters and styles'),
  prompts: say('Pictures of words'),
  videos: say('Videos'),
};

const isHosted = (type: EngineType) => type === 'openai_images' || type === 'fal';

/** Whether everything is said that the engine needs. */
export const isWhole = ({ name, type, url, key, uses, photos_leave }: NewEngineInput) =>
  name !== '' &&
  url !== '' &&
  (type !== 'runpod' || !!key) &&
  (types[type].uses.length === 0 || !!uses?.length) &&
  // Whoever routes jobs there lets photos go there.
  (type !== 'fal' || photos_leave === true);

interface EngineFieldsProps {
  engine: NewEngineInput;
  onChange(part: Partial<NewEngineInput>): void;
}

export function EngineFields({ engine, onChange }: EngineFieldsProps) {
  const words = types[engine.type];
  return (
    <>
      {!engine.replace && <TypeAndName engine={engine} onChange={onChange} />}
      <TextField
        label={say('Address')}
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
        {...(engine.replace && { hint: say('Left empty, the one that is stored stays.') })}
        value={engine.key ?? ''}
        onChange={({ target }) => onChange({ key: target.value })}
      />
      {words.model !== null && (
        <TextField
          label={say('Model')}
          placeholder={words.model}
          autoComplete="off"
          value={engine.model ?? ''}
          onChange={({ target }) => onChange({ model: target.value.trim() })}
        />
      )}
      <UseChoice engine={engine} onChange={onChange} />
      {isHosted(engine.type) && (
        <Check
          label={say(
            'Photos of guests may go to this company. Guests are told, and events have to allow it.',
          )}
          checked={engine.photos_leave ?? false}
          onChange={(photos_leave) => onChange({ photos_leave })}
        />
      )}
      <Check
        label={say('This machine makes what the engine could not.')}
        checked={engine.fallback ?? true}
        onChange={(fallback) => onChange({ fallback })}
      />
      {engine.type === 'comfyui' && <ComfyuiFields engine={engine} onChange={onChange} />}
    </>
  );
}

function TypeAndName({ engine, onChange }: EngineFieldsProps) {
  return (
    <>
      <SelectField
        label={say('Kind')}
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
      <p className="text-small text-ink-soft">{types[engine.type].text}</p>
      <TextField
        label={say('Name')}
        placeholder="studio-gpu"
        autoComplete="off"
        value={engine.name}
        onChange={({ target }) => onChange({ name: target.value.trim().toLowerCase() })}
      />
    </>
  );
}

/** What few need: more servers, licences with limits, and what a GPU costs. */
function ComfyuiFields({ engine, onChange }: EngineFieldsProps) {
  return (
    <details className="flex flex-col">
      <summary className="min-h-9 cursor-pointer py-1.5 font-medium">
        {say('Several servers, licences, costs')}
      </summary>
      <div className="mt-2 flex flex-col gap-4">
        <TextArea
          label={say('Further servers, one address a line')}
          rows={2}
          hint={say(
            'Jobs go to whichever is free. The smallest graphics card decides which models are used.',
          )}
          value={(engine.more_urls ?? []).join('\n')}
          onChange={({ target }) => onChange({ more_urls: addressesOf(target.value) })}
          onBlur={() => onChange({ more_urls: (engine.more_urls ?? []).filter(Boolean) })}
        />
        <Check
          label={say('Use models, too, that are free only below a revenue or in some places.')}
          checked={engine.limited_licences ?? false}
          onChange={(limited_licences) => onChange({ limited_licences })}
        />
        <Check
          label={say('Use models, too, that are not for commercial use.')}
          checked={engine.non_commercial ?? false}
          onChange={(non_commercial) => onChange({ non_commercial })}
        />
        <TextField
          label={say('What an hour of the GPU costs, in US dollars (optional)')}
          type="number"
          min={0}
          step="any"
          hint={say('Jobs then show what they cost.')}
          value={engine.gpu_hour_price ?? ''}
          onChange={({ target }) =>
            onChange({ gpu_hour_price: target.value === '' ? null : Number(target.value) })
          }
        />
      </div>
    </details>
  );
}

/** A line that is being written may be empty. */
const addressesOf = (text: string) => (text === '' ? [] : text.split('\n').map((line) => line.trim()));

function UseChoice({ engine, onChange }: EngineFieldsProps) {
  const { uses } = types[engine.type];
  if (uses.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 font-medium">{say('What it makes')}</legend>
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
