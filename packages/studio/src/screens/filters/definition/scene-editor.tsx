import type { FilterOption, FilterOptions } from '@guise/contract/filter-options.ts';
import { useState } from 'react';
import { say } from '../../../words/say.ts';
import type { ScenePart, SceneParts } from './edited-filter.ts';
import { OptionWall } from './option-wall.tsx';

const parts: { part: ScenePart; list: Exclude<keyof FilterOptions, 'kinds'>; label: string; none: string }[] =
  [
    { part: 'scene', list: 'scenes', label: say('Scene'), none: '' },
    { part: 'costume', list: 'costumes', label: say('Costume'), none: say('Own clothes') },
    { part: 'look', list: 'looks', label: say('Look'), none: say('Photo') },
    { part: 'light', list: 'lights', label: say('Light'), none: say('The scene’s own') },
    { part: 'weather', list: 'weathers', label: say('Weather'), none: say('The scene’s own') },
    { part: 'palette', list: 'palettes', label: say('Palette'), none: say('The scene’s own') },
  ];

interface SceneEditorProps {
  options: FilterOptions | undefined;
  scene: SceneParts;
  onChange(scene: SceneParts): void;
}

/** A filter from parts: each is chosen from a wall of pictures. */
export function SceneEditor({ options, scene, onChange }: SceneEditorProps) {
  const [open, setOpen] = useState<ScenePart>('scene');
  const { part, list, label, none } = parts.find((entry) => entry.part === open)!;
  const choose = (name: string | undefined) => {
    const { [part]: _left, ...rest } = scene;
    onChange(name === undefined ? rest : { ...rest, [part]: name });
  };
  return (
    <div className="flex flex-col gap-5">
      <section aria-label={say('Parts')} className="grid grid-cols-6 gap-3 max-sm:grid-cols-3">
        {parts.map((entry) => (
          <PartButton
            key={entry.part}
            label={entry.label}
            none={entry.none || say('Choose one')}
            chosen={options?.[entry.list].find(({ name }) => name === scene[entry.part])}
            isOpen={entry.part === open}
            onClick={() => setOpen(entry.part)}
          />
        ))}
      </section>
      <OptionWall
        key={part}
        label={label}
        options={options?.[list]}
        none={none}
        chosen={scene[part]}
        onChoose={choose}
      />
    </div>
  );
}

interface PartButtonProps {
  label: string;
  none: string;
  chosen: FilterOption | undefined;
  isOpen: boolean;
  onClick(): void;
}

/** One part with what was chosen for it; opens its wall. */
function PartButton({ label, none, chosen, isOpen, onClick }: PartButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isOpen}
      onClick={onClick}
      className={`flex min-w-0 flex-col border-t-2 pt-2 pb-1 text-left ${isOpen ? 'border-ink' : 'border-line hover:border-ink-soft'}`}
    >
      <span className={`block text-small font-medium ${isOpen ? '' : 'text-ink-soft'}`}>{label}</span>
      <span className={`line-clamp-2 text-small ${chosen ? '' : 'text-ink-soft'}`}>
        {chosen?.title ?? none}
      </span>
    </button>
  );
}
