import type { Photo } from '../../photo/photo.ts';
import { PhotoInput } from '../../photo/photo-input.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';
import { PromptNotes } from './prompt-notes.tsx';
import type { RunChoice } from './run-choice.ts';
import { VideoModelChoice } from './video-model-choice.tsx';
import { exampleFor, transitionExample } from './video-models.ts';

interface VideoPanelProps {
  choice: RunChoice;
  onChange(change: Partial<RunChoice>): void;
  lastFrame: Photo | undefined;
  onLastFrame(photo: Photo | undefined): void;
}

const lengths = [
  { value: '4s', label: '4 s' },
  { value: '6s', label: '6 s' },
  { value: '8s', label: '8 s' },
] as const;
const aspects = [
  { value: 'auto', label: say('As the photo') },
  { value: '16:9', label: '16:9' },
  { value: '9:16', label: '9:16' },
  { value: '3:2', label: '3:2' },
  { value: '2:3', label: '2:3' },
] as const;

/** A video from one frame, or from a first and a last one. */
export function VideoPanel({ choice, onChange, lastFrame, onLastFrame }: VideoPanelProps) {
  const { frames, model, seconds, aspect } = choice;
  const canChooseLength = frames === 'two' || model !== 'simple';
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Choice label={say('Frames')}>
        <Segmented
          label={say('Frames')}
          value={frames}
          options={[
            { value: 'one', label: say('From one photo') },
            { value: 'two', label: say('From first to last') },
          ]}
          onChange={(value) => onChange({ frames: value })}
        />
      </Choice>
      {frames === 'two' && (
        <PhotoInput label={say('Last frame')} showsLabel photo={lastFrame} onChange={onLastFrame} />
      )}
      <TextArea
        label={say('Describe what moves')}
        maxLength={2000}
        value={choice.prompt}
        onChange={(event) => onChange({ prompt: event.target.value })}
        placeholder={frames === 'two' ? transitionExample : exampleFor(model)}
      />
      <PromptNotes
        family={frames === 'two' ? 'first_last_frame_video' : 'single_frame_video'}
        model={frames === 'two' ? 'advanced' : model}
        prompt={choice.prompt}
        onUseAdvanced={() => onChange({ model: 'advanced' })}
      />
      {frames === 'one' && (
        <VideoModelChoice value={model} onChange={(value) => onChange({ model: value })} />
      )}
      {canChooseLength && (
        <Choice label={say('Length')}>
          <Segmented
            label={say('Length')}
            value={seconds}
            options={lengths}
            onChange={(value) => onChange({ seconds: value })}
          />
        </Choice>
      )}
      {frames === 'one' && model === 'performance' && (
        <Choice label={say('Format')}>
          <Segmented
            label={say('Format')}
            value={aspect}
            options={aspects}
            onChange={(value) => onChange({ aspect: value })}
          />
        </Choice>
      )}
    </div>
  );
}
