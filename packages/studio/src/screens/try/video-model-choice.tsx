import type { VideoModel } from '@guise/contract/families/video.ts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { say } from '../../words/say.ts';
import { priceBySecond, videoModels } from './video-models.ts';

interface VideoModelChoiceProps {
  value: VideoModel;
  onChange(model: VideoModel): void;
}

/** The models of videos, each with what it can do and costs. */
export function VideoModelChoice({ value, onChange }: VideoModelChoiceProps) {
  const guise = useGuise();
  const group = useId();
  const { data } = useQuery({
    queryKey: ['prices'],
    queryFn: () => guise.catalogs.prices(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <fieldset className="flex flex-col">
      <legend className="mb-1 text-small font-medium">{say('Model')}</legend>
      {videoModels.map((model) => {
        const price = priceBySecond(data?.prices.single_frame_video, model.value);
        return (
          <label
            key={model.value}
            className="flex items-start gap-2.5 border-b px-1 py-2 first-of-type:border-t has-checked:bg-panel"
          >
            <input
              type="radio"
              name={group}
              aria-label={model.label}
              aria-describedby={`${group}-${model.value}`}
              checked={value === model.value}
              onChange={() => onChange(model.value)}
              className="mt-1 size-4 accent-accent"
            />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap justify-between gap-x-4">
                {model.label}
                {price && <span className="text-small text-ink-soft">{price}</span>}
              </span>
              <span id={`${group}-${model.value}`} className="block text-small text-ink-soft">
                {model.text}
              </span>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
