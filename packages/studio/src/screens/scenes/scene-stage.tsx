import type { Ratio } from '@guise/contract/common.ts';
import type { OwnScene, SceneSettings } from '@guise/contract/scenes/own-scenes.ts';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { say } from '../../words/say.ts';
import { clamp, cropBox, type EditedScene } from './edited-scene.ts';

type Handle = 'horizon' | 'floor' | 'people';

interface SceneStageProps {
  scene: OwnScene;
  edited: EditedScene;
  ratio: Ratio;
  onChange(settings: SceneSettings): void;
  /** What lies over the picture instead of the lines: the brush. */
  children?: ReactNode;
}

const larger: Record<Ratio, number> = { portrait: 1, square: 1.25, landscape: 1.45 };

/** The backdrop with the part that pictures of this shape show, and lines to drag. The sliders do the same. */
export function SceneStage({ scene, edited, ratio, onChange, children }: SceneStageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<Handle>();
  const { settings } = edited;
  const drag = (event: PointerEvent) => {
    if (!held || !stage.current) return;
    const box = stage.current.getBoundingClientRect();
    const x = clamp((event.clientX - box.left) / box.width, 0, 1);
    const y = clamp((event.clientY - box.top) / box.height, 0, 1);
    if (held === 'people') onChange({ ...settings, people: { ...settings.people, across: x } });
    else onChange({ ...settings, [held]: y });
  };
  const hold = (handle: Handle) => (event: PointerEvent) => {
    event.preventDefault();
    stage.current?.setPointerCapture(event.pointerId);
    setHeld(handle);
  };
  const crop = cropBox(edited, ratio, scene);
  const percent = (share: number) => `${100 * share}%`;
  return (
    <div
      ref={stage}
      className="relative touch-none overflow-hidden rounded-card bg-panel select-none"
      style={{ aspectRatio: `${scene.width} / ${scene.height}` }}
      onPointerMove={drag}
      onPointerUp={() => setHeld(undefined)}
      onPointerCancel={() => setHeld(undefined)}
    >
      <img
        src={scene.backdrop_url}
        alt={say('Backdrop of {scene}', { scene: settings.title })}
        className="size-full"
        draggable={false}
      />
      <div
        aria-hidden
        className="pointer-events-none absolute border border-white/80 shadow-[0_0_0_9999px_rgb(0_0_0/0.5)]"
        style={{
          left: percent(crop.x),
          top: percent(crop.y),
          width: percent(crop.width),
          height: percent(crop.height),
        }}
      />
      {children ?? (
        <>
          <Figure settings={settings} crop={crop} grow={larger[ratio]} onHold={hold('people')} />
          <Line label={say('Horizon')} row={settings.horizon} onHold={hold('horizon')} />
          {settings.floor !== null && (
            <Line label={say('Floor')} row={settings.floor} onHold={hold('floor')} />
          )}
        </>
      )}
    </div>
  );
}

interface LineProps {
  label: string;
  row: number;
  onHold(event: PointerEvent): void;
}

const Line = ({ label, row, onHold }: LineProps) => (
  <div
    aria-hidden
    className="absolute inset-x-0 flex h-8 -translate-y-1/2 cursor-ns-resize items-center"
    style={{ top: `${100 * row}%` }}
    onPointerDown={onHold}
  >
    <div className="h-0.5 w-full bg-accent shadow-[0_0_0_1px_rgb(0_0_0/0.4)]" />
    <span className="absolute left-2 rounded-[4px] bg-black/70 px-1.5 text-small text-white">{label}</span>
  </div>
);

interface FigureProps {
  settings: SceneSettings;
  crop: { x: number; y: number; width: number; height: number };
  grow: number;
  onHold(event: PointerEvent): void;
}

/** The outline of one person as large as in the picture, with the eyes at the horizon. */
function Figure({ settings, crop, grow, onHold }: FigureProps) {
  const face = settings.people.face * grow * crop.height;
  const top = settings.horizon - 0.7 * face;
  const height = Math.max(1.5 * face, crop.y + crop.height - top);
  return (
    <svg
      aria-hidden="true"
      viewBox={`-1.6 0 3.2 ${height / face}`}
      preserveAspectRatio="xMidYMin meet"
      className="absolute -translate-x-1/2 cursor-ew-resize fill-white/45 stroke-white [stroke-width:0.03]"
      style={{ left: `${100 * settings.people.across}%`, top: `${100 * top}%`, height: `${100 * height}%` }}
      onPointerDown={onHold}
    >
      <ellipse cx="0" cy="0.72" rx="0.52" ry="0.7" />
      <path d="M-0.26 1.3 L-0.26 1.62 Q-1.25 1.75 -1.4 2.5 L-1.5 9 L1.5 9 L1.4 2.5 Q1.25 1.75 0.26 1.62 L0.26 1.3 Z" />
    </svg>
  );
}
