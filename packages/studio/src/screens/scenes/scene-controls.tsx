import type { Ratio } from '@guise/contract/common.ts';
import type { OwnScene, SceneSettings } from '@guise/contract/scenes/own-scenes.ts';
import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';
import { colourOf, cropBox, type EditedScene, hexOf, moveCrop } from './edited-scene.ts';
import { Slider } from './slider.tsx';

interface SceneControlsProps {
  scene: OwnScene;
  edited: EditedScene;
  ratio: Ratio;
  onChange(edited: EditedScene): void;
}

/** Everything that can be set of a scene, each by its own control. */
export function SceneControls({ scene, edited, ratio, onChange }: SceneControlsProps) {
  const { settings } = edited;
  const set = (change: Partial<SceneSettings>) =>
    onChange({ ...edited, settings: { ...settings, ...change } });
  const { people, horizon, floor } = settings;
  return (
    <div className="flex flex-col gap-6">
      <TextField
        label={say('Name')}
        value={settings.title}
        maxLength={120}
        onChange={(event) => set({ title: event.target.value })}
      />
      <Group title={say('People')}>
        <Slider
          label={say('Horizon')}
          value={horizon}
          min={0}
          max={1}
          onChange={(row) => set({ horizon: row })}
        />
        <Slider
          label={say('Left to right')}
          value={people.across}
          min={0}
          max={1}
          onChange={(across) => set({ people: { ...people, across } })}
        />
        <Slider
          label={say('Size')}
          value={people.face}
          min={0.08}
          max={0.32}
          onChange={(face) => set({ people: { ...people, face } })}
        />
        {floor !== null && (
          <Slider
            label={say('Floor')}
            value={floor}
            min={0}
            max={1}
            onChange={(row) => set({ floor: row })}
          />
        )}
        <FloorChoice floor={floor} onChange={(row) => set({ floor: row })} />
      </Group>
      <LightControls light={settings.light} onChange={(light) => set({ light })} />
      <CropControls scene={scene} edited={edited} ratio={ratio} onChange={onChange} />
      <TextField
        label={say('The place in words (optional)')}
        hint={say('For engines that run ComfyUI workflows, such as “in a hall with tall windows”.')}
        value={settings.place}
        maxLength={300}
        onChange={(event) => set({ place: event.target.value })}
      />
      <Button
        className="self-start"
        onClick={() => onChange({ ...edited, settings: { ...settings, ...scene.found } })}
      >
        {say('Back to what was found')}
      </Button>
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-small font-medium">{title}</h2>
      {children}
    </section>
  );
}

function FloorChoice({ floor, onChange }: { floor: number | null; onChange(floor: number | null): void }) {
  return (
    <label className="flex items-center gap-2 text-small">
      <input
        type="checkbox"
        checked={floor !== null}
        onChange={(event) => onChange(event.target.checked ? 0.92 : null)}
        className="accent-accent"
      />
      {say('The picture shows a floor to stand on')}
    </label>
  );
}

interface LightControlsProps {
  light: SceneSettings['light'];
  onChange(light: SceneSettings['light']): void;
}

function LightControls({ light, onChange }: LightControlsProps) {
  const id = useId();
  const [right, up, front] = light.direction;
  const angle = (Math.atan2(right, up) * 180) / Math.PI;
  return (
    <Group title={say('Light')}>
      <div className="flex items-center gap-3">
        <svg aria-hidden="true" viewBox="-1 -1 2 2" className="size-12 shrink-0 rounded-full border">
          <g transform={`rotate(${angle})`} className="fill-accent stroke-accent [stroke-width:0.1]">
            <line x1="0" y1="-0.85" x2="0" y2="0.1" />
            <path d="M0 0.35 L0.2 0 L-0.2 0 Z" />
          </g>
        </svg>
        <p className="text-small text-ink-soft">{say('The arrow shows where the light comes from.')}</p>
      </div>
      <Slider
        label={say('From the side')}
        value={right}
        min={-1}
        max={1}
        onChange={(x) => onChange({ ...light, direction: [x, up, front || 0.1] })}
      />
      <Slider
        label={say('From above')}
        value={up}
        min={-1}
        max={1}
        onChange={(y) => onChange({ ...light, direction: [right, y, front || 0.1] })}
      />
      <Slider
        label={say('Brightness')}
        value={light.key}
        min={0.05}
        max={0.6}
        onChange={(key) => onChange({ ...light, key })}
      />
      <div className="flex items-center gap-3">
        <label htmlFor={id} className="w-28 shrink-0 text-small">
          {say('Colour')}
        </label>
        <input
          id={id}
          type="color"
          value={hexOf(light.color)}
          onChange={(event) => onChange({ ...light, color: colourOf(event.target.value) })}
          className="h-9 w-14 rounded-card border bg-raised"
        />
      </div>
    </Group>
  );
}

const cropTitles: Record<Ratio, string> = {
  portrait: say('What portrait pictures show'),
  landscape: say('What landscape pictures show'),
  square: say('What square pictures show'),
};

function CropControls({ scene, edited, ratio, onChange }: SceneControlsProps) {
  const crop = cropBox(edited, ratio, scene);
  const move = (change: Partial<typeof crop>) => onChange(moveCrop(edited, ratio, scene, change));
  return (
    <Group title={cropTitles[ratio]}>
      <Slider
        label={say('Width')}
        value={crop.width}
        min={0.1}
        max={1}
        onChange={(width) => move({ width })}
      />
      <Slider label={say('Left to right')} value={crop.x} min={0} max={1} onChange={(x) => move({ x })} />
      <Slider label={say('Top to bottom')} value={crop.y} min={0} max={1} onChange={(y) => move({ y })} />
    </Group>
  );
}
