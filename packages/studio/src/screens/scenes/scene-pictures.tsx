import type { Ratio } from '@guise/contract/common.ts';
import { LoaderCircle } from 'lucide-react';
import { FairMark } from '../../ui/fair-mark.tsx';
import { say } from '../../words/say.ts';
import type { EditedScene } from './edited-scene.ts';
import { type ScenePicture, shownSamples, useScenePictures } from './use-scene-pictures.ts';

const shapes: Record<Ratio, string> = {
  portrait: 'aspect-[2/3]',
  landscape: 'aspect-[3/2]',
  square: 'aspect-square',
};

interface ScenePicturesProps {
  id: string;
  edited: EditedScene;
  ratio: Ratio;
  /** While the scene is saved. */
  isPaused: boolean;
}

/** People of the sample photos in the scene as it is now, with what the judge of pictures says. */
export function ScenePictures({ id, edited, ratio, isPaused }: ScenePicturesProps) {
  const pictures = useScenePictures(id, edited, ratio, isPaused);
  return (
    <section aria-label={say('People in the scene')} className="flex flex-col gap-3">
      <h2 className="text-small font-medium">{say('People in the scene')}</h2>
      <ul className="grid grid-cols-3 gap-3">
        {shownSamples.map(({ sample, label }) => (
          <li key={sample} className="min-w-0">
            <Shown label={label} shape={shapes[ratio]} picture={pictures.get(sample)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ShownProps {
  label: string;
  shape: string;
  picture: ScenePicture | undefined;
}

function Shown({ label, shape, picture }: ShownProps) {
  const isMaking = !picture || picture.state === 'making';
  return (
    <figure className="flex flex-col gap-1">
      <div className={`relative overflow-hidden rounded-card bg-panel ${shape}`}>
        {picture?.url && (
          <img
            src={picture.url}
            alt={say('{person} in the scene', { person: label })}
            className={`size-full object-cover ${isMaking ? 'opacity-60' : ''}`}
          />
        )}
        {isMaking && (
          <LoaderCircle size={20} className="absolute top-2 right-2 animate-spin text-ink-soft" aria-hidden />
        )}
      </div>
      <figcaption className="flex flex-wrap items-center gap-x-2 text-small text-ink-soft" role="status">
        <span>{isMaking ? say('{person}: making…', { person: label }) : label}</span>
        {picture?.state === 'done' && picture.quality?.grade === 'good' && (
          <span className="text-good">{say('Good')}</span>
        )}
        {picture?.state === 'done' && picture.quality?.grade === 'fair' && (
          <FairMark reasons={picture.quality.reasons} />
        )}
        {picture?.error && <span className="text-lost">{picture.error}</span>}
      </figcaption>
    </figure>
  );
}
