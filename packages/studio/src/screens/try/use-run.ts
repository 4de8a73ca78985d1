import { base64Of } from '@guise/client/bytes.ts';
import type { JobDetail } from '@guise/contract/job-details.ts';
import { useCallback, useRef, useState } from 'react';
import { useJobChange } from '../../app/changes.tsx';
import { useGuise } from '../../app/guise-context.ts';
import type { Photo } from '../../photo/photo.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import type { PlannedRun } from './run-choice.ts';

export type RunState =
  | { step: 'idle' }
  | { step: 'sending'; share: number }
  | { step: 'waiting' | 'running'; id: string; share: number }
  | { step: 'done'; job: JobDetail; before: string | undefined }
  | { step: 'failed'; sentence: string };

interface Photos {
  first: Photo | undefined;
  second: Photo | undefined;
}

/** Sends a run and follows it to its end. */
export function useRun(onDone: (job: JobDetail) => void) {
  const guise = useGuise();
  const [state, setState] = useState<RunState>({ step: 'idle' });
  const current = useRef<{ id?: string; before: string | undefined; abort: AbortController }>(undefined);

  const settle = useCallback(
    async (id: string) => {
      const run = current.current;
      try {
        const job = await guise.jobs.get(id);
        // A later run, or a cancelled one, shows something else by now.
        if (current.current !== run || (job.status !== 'COMPLETED' && job.status !== 'FAILED')) return;
        current.current = undefined;
        if (job.status === 'FAILED')
          return setState({ step: 'failed', sentence: job.error ?? 'This picture could not be made.' });
        setState({ step: 'done', job, before: run?.before });
        onDone(job);
      } catch (error) {
        if (current.current === run) setState({ step: 'failed', sentence: errorSentence(error) });
      }
    },
    [guise, onDone],
  );

  useJobChange((job) => {
    if (job.id !== current.current?.id) return;
    if (job.status === 'COMPLETED' || job.status === 'FAILED') return void settle(job.id);
    setState({ step: job.progress > 0 ? 'running' : 'waiting', id: job.id, share: job.progress });
  });

  const start = async ({ family, body, photos: fields }: PlannedRun, photos: Photos) => {
    const run = { before: photos.first?.url, abort: new AbortController() } as NonNullable<
      typeof current.current
    >;
    current.current = run;
    setState({ step: 'sending', share: 0 });
    try {
      const images = await Promise.all(
        Object.entries(fields).map(async ([which, field]) => {
          const photo = photos[which as keyof Photos];
          return [field, photo ? await base64Of(photo.blob) : undefined] as const;
        }),
      );
      const { id } = await guise.submitBody(
        family,
        { ...body, ...Object.fromEntries(images) },
        {
          signal: run.abort.signal,
          onUpload: (share) => current.current === run && setState({ step: 'sending', share }),
        },
      );
      run.id = id;
      setState({ step: 'waiting', id, share: 0 });
      // It may have ended before its id was known here.
      await settle(id);
    } catch (error) {
      if (current.current !== run) return;
      current.current = undefined;
      setState({ step: 'failed', sentence: errorSentence(error) });
    }
  };

  const cancel = async () => {
    const run = current.current;
    current.current = undefined;
    setState({ step: 'idle' });
    run?.abort.abort();
    if (run?.id) await guise.jobs.cancel(run.id).catch(() => {});
  };

  /** What failed says nothing about another photo or filter. */
  const dismissFailure = useCallback(
    () => setState((last) => (last.step === 'failed' ? { step: 'idle' } : last)),
    [],
  );

  return { state, start, cancel, dismissFailure };
}
