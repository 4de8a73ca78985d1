import { base64Of } from '@guise/client/bytes.ts';
import type { QuickTestGuestApi } from '@guise/client/quick-test-guest-api.ts';
import type { Ratio } from '@guise/contract/common.ts';
import { useEffect, useRef, useState } from 'react';
import type { Photo } from '../../photo/photo.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { jobSentence } from '../../ui/job-sentence.ts';
import { say } from '../../words/say.ts';

export type GuestRunState =
  | { step: 'idle' }
  | { step: 'sending' | 'making'; share: number }
  | { step: 'done'; picture: string }
  | { step: 'failed'; sentence: string };

export interface GuestRun {
  photo: Photo;
  gender?: number;
  ratio?: Ratio;
}

/** How long the server holds an answer; then it tells how far the picture is. */
const waitSeconds = 3;

/** Sends a guest's photo and waits for the picture. */
export function useGuestRun(guest: QuickTestGuestApi, onRunsUsed: () => void) {
  const [state, setState] = useState<GuestRunState>({ step: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const follow = async (id: string, signal: AbortSignal): Promise<GuestRunState> => {
    for (;;) {
      const run = await guest.run(id, waitSeconds, signal);
      if (run.image_url) return { step: 'done', picture: run.image_url };
      if (run.status === 'FAILED' || run.status === 'EXPIRED')
        return {
          step: 'failed',
          sentence: run.error
            ? jobSentence(run.error)
            : say('This picture could not be made. Try another photo.'),
        };
      setState({ step: 'making', share: run.progress });
    }
  };

  const start = async ({ photo, ...options }: GuestRun) => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setState({ step: 'sending', share: 0 });
    try {
      const body = { image: await base64Of(photo.blob), ...options };
      const { id } = await guest.start(body, {
        signal,
        onUpload: (share) => !signal.aborted && setState({ step: 'sending', share }),
      });
      setState({ step: 'making', share: 0 });
      setState(await follow(id, signal));
    } catch (error) {
      if (!signal.aborted) setState({ step: 'failed', sentence: errorSentence(error) });
    }
    // A failed run gives its try back.
    onRunsUsed();
  };

  return {
    state,
    start,
    /** Forgets the run; a picture that is being made is made, and nobody sees it. */
    reset() {
      running.current?.abort();
      setState({ step: 'idle' });
    },
  };
}
