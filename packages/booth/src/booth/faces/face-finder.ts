import type { FaceAnswer, FaceQuestion } from './face-question.ts';

/** Finds faces on this device, with the server or without. */
export interface FaceFinder {
  /** Null where this browser cannot do it, or the last question has not been answered. */
  find(question: FaceQuestion): Promise<FaceAnswer | null>;
}

let started: FaceFinder | undefined;

/** The one of this page: it is started when it is first asked for, and keeps its network. */
export function faceFinder(): FaceFinder {
  started ??= startFinder();
  return started;
}

function startFinder(): FaceFinder {
  // Without them pictures cannot be read in a worker: tablets before 2023.
  if (typeof OffscreenCanvas === 'undefined' || typeof WebAssembly === 'undefined') return noFinder;
  const worker = new Worker(new URL('./face-worker.ts', import.meta.url), { type: 'module' });
  const waiting: ((answer: FaceAnswer | null) => void)[] = [];
  worker.addEventListener('message', ({ data }: MessageEvent<FaceAnswer | null>) => waiting.shift()?.(data));
  let isBroken = false;
  worker.addEventListener('error', () => {
    isBroken = true;
    for (const tell of waiting.splice(0)) tell(null);
  });
  return {
    find(question) {
      // One that did not start never answers.
      if (isBroken) return noFinder.find(question);
      return new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(question, [question.picture]);
      });
    },
  };
}

const noFinder: FaceFinder = {
  find({ picture }) {
    picture.close();
    return Promise.resolve(null);
  },
};
