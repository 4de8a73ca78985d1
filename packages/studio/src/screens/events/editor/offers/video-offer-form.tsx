import { useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { SelectField } from '../../../../ui/select-field.tsx';
import { TextArea, TextField } from '../../../../ui/text-field.tsx';
import { PromptNotes } from '../../../try/prompt-notes.tsx';
import { VideoModelChoice } from '../../../try/video-model-choice.tsx';
import { exampleFor } from '../../../try/video-models.ts';
import type { OfferFields } from '../event-fields.ts';

type Video = Pick<OfferFields, 'prompt' | 'model' | 'duration' | 'aspect'>;

const durations = ['4s', '6s', '8s'].map((value) => ({ value, label: value.replace('s', ' s') }));
const aspects = ['auto', '16:9', '9:16', '3:2', '2:3'].map((value) => ({
  value,
  label: value === 'auto' ? 'As the photo' : value,
}));

/** A video that is made of the guest’s photo. */
export function VideoOfferForm({ onAdd }: { onAdd(name: string, video: Video): void }) {
  const [name, setName] = useState('');
  const [video, setVideo] = useState<Video>({ prompt: '', model: 'simple', duration: '4s', aspect: 'auto' });
  const change = (part: Partial<Video>) => setVideo({ ...video, ...part });
  const isComplete = name.trim() !== '' && video.prompt.trim() !== '';
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <TextField
        label="Label"
        value={name}
        maxLength={120}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Describe what moves"
        placeholder={exampleFor(video.model)}
        maxLength={2000}
        value={video.prompt}
        onChange={(event) => change({ prompt: event.target.value })}
      />
      <PromptNotes
        family="single_frame_video"
        model={video.model}
        prompt={video.prompt}
        onUseAdvanced={() => change({ model: 'advanced' })}
      />
      <VideoModelChoice value={video.model} onChange={(model) => change({ model })} />
      <div className="grid grid-cols-2 gap-3 empty:hidden max-sm:grid-cols-1">
        {video.model !== 'simple' && (
          <SelectField
            label="Length"
            options={durations}
            value={video.duration}
            onChange={(event) => change({ duration: event.target.value as Video['duration'] })}
          />
        )}
        {video.model === 'performance' && (
          <SelectField
            label="Format"
            options={aspects}
            value={video.aspect}
            onChange={(event) => change({ aspect: event.target.value as Video['aspect'] })}
          />
        )}
      </div>
      <Button
        className="self-start"
        disabled={!isComplete}
        onClick={() => {
          onAdd(name.trim(), video);
          setName('');
          change({ prompt: '' });
        }}
      >
        Add the video
      </Button>
    </div>
  );
}
