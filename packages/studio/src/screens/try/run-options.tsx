import { lazy, Suspense } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import type { RunChoice, Shape, WallFilter, Who } from './run-choice.ts';

const PortraitOptions = lazy(() =>
  import('./portrait-options.tsx').then((m) => ({ default: m.PortraitOptions })),
);

interface RunOptionsProps {
  choice: RunChoice;
  onChange(change: Partial<RunChoice>): void;
}

const whoOptions: { value: Who; label: string }[] = [
  { value: 'woman', label: say('Woman') },
  { value: 'man', label: say('Man') },
  { value: 'girl', label: say('Girl') },
  { value: 'boy', label: say('Boy') },
  { value: 'group', label: say('Group') },
];
const shapeOptions: { value: Shape; label: string }[] = [
  { value: 'portrait', label: say('Portrait') },
  { value: 'landscape', label: say('Landscape') },
  { value: 'square', label: say('Square') },
];

/** What the chosen kind of run can be told beside its photo. */
export function RunOptions(props: RunOptionsProps) {
  return (
    <>
      <PictureOptions {...props} />
      <Suspense>{props.choice.kind === 'portrait' && <PortraitOptions {...props} />}</Suspense>
    </>
  );
}

function PictureOptions({ choice, onChange }: RunOptionsProps) {
  const { kind, filters, people } = choice;
  // Where filters of both types are chosen, all that any of them can be told is asked.
  const isOfType = (type: WallFilter['type']) =>
    filters.length > 0 && filters.every((one) => one.type === type);
  const isOfFilter = kind === 'filter' || kind === 'portrait';
  const isGroup = isOfFilter ? isOfType('multi_swap') : kind === 'words' && people === 'group';
  // A living portrait of a group takes its shape from the photos.
  if (kind === 'video' || (kind === 'portrait' && isGroup)) return null;
  if (isGroup)
    return (
      <label className="flex items-start gap-2.5">
        <input
          type="checkbox"
          checked={choice.outpaint}
          onChange={(event) => onChange({ outpaint: event.target.checked })}
          className="mt-1 size-4 accent-accent"
        />
        <span>
          {say('Extend the photo')}
          <span className="block text-small text-ink-soft">
            {say('Makes more of the photo where it cuts people off.')}
          </span>
        </span>
      </label>
    );
  // The interface refuses groups with custom filters of this type; with words, groups are a choice of their own.
  const isOfOne = kind === 'words' || filters.some((one) => one.catalog === 'own');
  const who = isOfOne ? whoOptions.filter(({ value }) => value !== 'group') : whoOptions;
  return (
    <div className="flex flex-col gap-4">
      <Choice label={say('Who is in the photo')}>
        <Segmented<Who>
          label={say('Who is in the photo')}
          value={choice.who}
          options={who}
          onChange={(value) => onChange({ who: value })}
          className="flex w-full"
        />
      </Choice>
      <Choice label={say('Shape of the picture')}>
        <Segmented<Shape>
          label={say('Shape of the picture')}
          value={choice.shape}
          options={shapeOptions}
          onChange={(shape) => onChange({ shape })}
          className="flex w-full"
        />
      </Choice>
    </div>
  );
}
