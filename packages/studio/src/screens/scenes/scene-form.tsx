import type { Ratio } from '@guise/contract/common.ts';
import type { OwnScene, SceneSettings } from '@guise/contract/scenes/own-scenes.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { LeaveGuard } from '../filters/creator/leave-guard.tsx';
import { BrushBar } from './brush-bar.tsx';
import { changeOf, type EditedScene } from './edited-scene.ts';
import { type BrushSettings, ForegroundBrush } from './foreground-brush.tsx';
import { SceneActions } from './scene-actions.tsx';
import { SceneControls } from './scene-controls.tsx';
import { ScenePictures } from './scene-pictures.tsx';
import { SceneStage } from './scene-stage.tsx';

const shapes: { value: Ratio; label: string }[] = [
  { value: 'portrait', label: say('Portrait') },
  { value: 'landscape', label: say('Landscape') },
  { value: 'square', label: say('Square') },
];
type Mode = 'people' | 'foreground';
const modes: { value: Mode; label: string }[] = [
  { value: 'people', label: say('Place people') },
  { value: 'foreground', label: say('Paint what is in front') },
];

/** A scene with its lines, its controls and people of the samples beside them. */
export function SceneForm({ scene, etag }: { scene: OwnScene; etag: string | undefined }) {
  const [ratio, setRatio] = useState<Ratio>('portrait');
  const [mode, setMode] = useState<Mode>('people');
  const [brush, setBrush] = useState<BrushSettings>({ size: 0.05, tool: 'paint' });
  const { edited, setEdited, undoStroke, canUndo, paint, isChanged, save } = useEditedScene(scene, etag);
  const setSettings = (settings: SceneSettings) => setEdited({ ...edited, settings });
  return (
    <>
      <LeaveGuard isChanged={isChanged && !save.isPending} />
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-6 pt-5 pb-4 max-md:px-4">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            to="/studio/scenes"
            aria-label={say('All scenes')}
            className="-ml-2 grid size-9 shrink-0 place-items-center rounded-card text-ink-soft hover:bg-panel hover:text-ink"
          >
            <ArrowLeft size={19} aria-hidden />
          </Link>
          <h1 className="break-words">{edited.settings.title || say('Scene')}</h1>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <SceneActions scene={scene} isChanged={isChanged} />
          <Button kind="primary" busy={save.isPending} disabled={!isChanged} onClick={() => save.mutate()}>
            {isChanged ? say('Save') : say('Saved')}
          </Button>
        </div>
      </header>
      <div className="flex flex-col gap-3 px-6 max-md:px-4">
        {save.error && <Problem error={save.error} />}
        {scene.warnings.map((warning) => (
          <p key={warning} className="text-small text-accent-ink">
            {sayOfServer(warning)}
          </p>
        ))}
      </div>
      <div className="grid gap-8 px-6 pt-2 pb-12 max-md:px-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <div className="flex flex-wrap gap-3">
            <Segmented
              label={say('Shape')}
              value={ratio}
              options={shapes}
              onChange={(next) => setRatio(next)}
            />
            <Segmented
              label={say('What to do')}
              value={mode}
              options={modes}
              onChange={(next) => setMode(next)}
            />
          </div>
          <SceneStage scene={scene} edited={edited} ratio={ratio} onChange={setSettings}>
            {mode === 'foreground' ? (
              <ForegroundBrush scene={scene} brush={brush} mask={edited.mask} onStroke={paint} />
            ) : undefined}
          </SceneStage>
          {mode === 'foreground' && (
            <BrushBar
              brush={brush}
              onChange={setBrush}
              onUndo={canUndo ? undoStroke : undefined}
              onClear={() => paint(null)}
            />
          )}
          <ScenePictures id={scene.id} edited={edited} ratio={ratio} isPaused={save.isPending} />
        </div>
        <SceneControls scene={scene} edited={edited} ratio={ratio} onChange={setEdited} />
      </div>
    </>
  );
}

/** What is being changed, its strokes for undo, and how it is saved. */
function useEditedScene(scene: OwnScene, etag: string | undefined) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  const [edited, setEdited] = useState<EditedScene>({ settings: scene.settings });
  const [strokes, setStrokes] = useState<EditedScene['mask'][]>([]);
  const paint = (mask: string | null) => {
    setStrokes([...strokes, edited.mask].slice(-20));
    setEdited({ ...edited, mask });
  };
  const undoStroke = () => {
    setEdited({ ...edited, mask: strokes.at(-1) });
    setStrokes(strokes.slice(0, -1));
  };
  const isChanged = edited.mask !== undefined || edited.settings !== scene.settings;
  const save = useMutation({
    mutationFn: () => guise.scenes.change(scene.id, changeOf(edited), etag),
    onSuccess: async (saved) => {
      queries.setQueryData(['scenes', 'detail', scene.id], saved);
      await queries.invalidateQueries({ queryKey: ['scenes', 'list'] });
      toast.tell(say('{name} is saved.', { name: saved.value.settings.title }));
    },
  });
  return { edited, setEdited, paint, undoStroke, canUndo: strokes.length > 0, isChanged, save };
}
