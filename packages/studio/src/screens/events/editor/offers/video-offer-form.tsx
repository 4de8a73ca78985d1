import { useState } from 'react';
import { SelectField } from '../../../../ui/select-field.tsx';
import { TextArea } from '../../../../ui/text-field.tsx';
import { say } from '../../../../words/say.ts';
import { PromptNotes } from '../../../try/prompt-notes.tsx';
import { VideoModelChoice } from '../../../try/video-model-choice.tsx';
import { exampleFor } from '../../../try/video-models.ts';
import type { OfferFields } from '../event-fields.ts';
import { DescribedOffer } from './described-offer.tsx';

type Video = Pick<OfferFields, 'prompt' | 'model' | 'duration' | 'aspect'>;

const durations = ['4s', '6s', '8s'].map((value) => ({ value, label: value.replace('s', ' s') }));
const aspects = ['auto', '16:9', '9:16', '3:2', '2:3'].map((value) => ({
  value,
  label: value === 'auto' ? say('As the photo') : value,
}));

/** A video that is made of the guest’s photo. */
export function VideoOfferForm({ onAdd }: { onAdd(name: string, video: Video): void }) {
  const [video, setVideo] = useState<Video>({ prompt: '', model: 'simple', duration: '4s', aspect: 'auto' });
  const change = (part: Partial<Video>) => setVideo({ ...video, ...part });
  return (
    <DescribedOffer
      action={say('Add the video')}
      isComplete={video.prompt.trim() !== ''}
      onAdd={(name) => {
        onAdd(name, video);
        change({ prompt: '' });
      }}
    >
      <TextArea
        label={say('Describe what moves')}
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
            label={say('Length')}
            options={durations}
            value={video.duration}
            onChange={(event) => change({ duration: event.target.value as Video['duration'] })}
          />
        )}
        {video.model === 'performance' && (
          <SelectField
            label={say('Format')}
            options={aspects}
            value={video.aspect}
            onChange={(event) => change({ aspect: event.target.value as Video['aspect'] })}
          />
        )}
      </div>
    </DescribedOffer>
  );
}
