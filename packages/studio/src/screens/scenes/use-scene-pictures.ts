import type { Ratio } from '@guise/contract/common.ts';
import type { SamplePhoto } from '@guise/contract/filter-drafts.ts';
import type { QualityAnswer } from '@guise/contract/quality.ts';
import { useCallback, useEffect, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { say } from '../../words/say.ts';
import { pngUrl } from '../filters/test-people/png-url.ts';
import { changeOf, type EditedScene } from './edited-scene.ts';

/** What a scene made of one photo. The picture before stays while the next one is made. */
export interface ScenePicture {
  state: 'making' | 'done' | 'failed';
  url?: string | undefined;
  quality?: QualityAnswer | null | undefined;
  error?: string | undefined;
}

export const shownSamples: { sample: SamplePhoto; label: string }[] = [
  { sample: 'woman', label: say('Woman') },
  { sample: 'two_people', label: say('Two people') },
  { sample: 'man', label: say('Man') },
];

const quietMs = 900;

/** Shows the samples in the scene, again whenever it has changed and then stayed the same for a moment. */
export function useScenePictures(id: string, edited: EditedScene, ratio: Ratio, isPaused: boolean) {
  const guise = useGuise();
  const [pictures, setPictures] = useState<ReadonlyMap<SamplePhoto, ScenePicture>>(new Map());
  const put = useCallback((sample: SamplePhoto, change: ScenePicture) => {
    setPictures((before) => {
      const last = before.get(sample);
      if (change.url && last?.url) URL.revokeObjectURL(last.url);
      return new Map(before).set(sample, { ...last, error: undefined, ...change });
    });
  }, []);
  useEffect(() => {
    if (isPaused) return;
    const controller = new AbortController();
    const { signal } = controller;
    const make = async (sample: SamplePhoto) => {
      put(sample, { state: 'making' });
      try {
        const body = { ...changeOf(edited), ratio, sample };
        const { images, quality } = await guise.scenes.preview(id, body, signal);
        if (!signal.aborted) put(sample, { state: 'done', url: pngUrl(images[0]!), quality });
      } catch (error) {
        if (!signal.aborted) put(sample, { state: 'failed', error: errorSentence(error) });
      }
    };
    const timer = setTimeout(async () => {
      for (const { sample } of shownSamples) if (!signal.aborted) await make(sample);
    }, quietMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [guise, id, edited, ratio, isPaused, put]);
  return pictures;
}
