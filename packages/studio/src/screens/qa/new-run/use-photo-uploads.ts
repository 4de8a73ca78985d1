import { base64Of } from '@guise/client/bytes.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { readPhoto } from '../../../photo/photo.ts';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { say } from '../../../words/say.ts';
import { photoSetsKey } from './use-photo-choice.ts';

export interface FailedUpload {
  file: File;
  setId: string;
  sentence: string;
}

export interface UploadsState {
  /** Files since the uploads began, those that were refused among them. */
  total: number;
  done: number;
  /** The share of the file that is being sent. */
  share: number;
  failed: FailedUpload[];
}

const nothing: UploadsState = { total: 0, done: 0, share: 0, failed: [] };

/** Adds files to a photo set, one after the other: what a phone makes is large, and must be decoded first. */
export function usePhotoUploads() {
  const guise = useGuise();
  const queries = useQueryClient();
  const [state, setState] = useState(nothing);
  const waiting = useRef<{ file: File; setId: string }[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async ({ file, setId }: { file: File; setId: string }, signal: AbortSignal) => {
    const photo = await readPhoto(file, file.name);
    try {
      const image = await base64Of(photo.blob);
      signal.throwIfAborted();
      await guise.photoSets.addPhoto(
        setId,
        { image, name: nameOf(file) },
        { signal, onUpload: (share) => setState((last) => ({ ...last, share })) },
      );
    } finally {
      URL.revokeObjectURL(photo.url);
    }
    await queries.invalidateQueries({ queryKey: photoSetsKey });
  };

  const work = async () => {
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    for (let next = waiting.current.shift(); next; next = waiting.current.shift()) {
      const upload = next;
      try {
        await send(upload, signal);
      } catch (error) {
        if (signal.aborted) return;
        const fail = (one: typeof upload) => ({ ...one, sentence: errorSentence(error) });
        // A full set takes none of the others either.
        const isFull = error instanceof GuiseError && error.code === 'LIMIT_REACHED';
        const others = isFull ? waiting.current.splice(0) : [];
        setState((last) => ({
          ...last,
          done: last.done + others.length,
          failed: [...last.failed, fail(upload), ...others.map(fail)],
        }));
      }
      setState((last) => ({ ...last, done: last.done + 1, share: 0 }));
    }
    running.current = undefined;
    setState(({ failed }) => ({ ...nothing, failed }));
  };

  const add = (setId: string, files: readonly File[]) => {
    if (files.length === 0) return;
    waiting.current.push(...files.map((file) => ({ file, setId })));
    setState((last) => ({ ...last, total: last.total + files.length }));
    if (!running.current) void work();
  };
  return {
    state,
    add,
    /** Those that were added stay. */
    cancel() {
      waiting.current = [];
      running.current?.abort();
      running.current = undefined;
      setState(({ failed }) => ({ ...nothing, failed }));
    },
    retryFailed() {
      setState((last) => ({ ...last, failed: [] }));
      for (const { setId, file } of state.failed) add(setId, [file]);
    },
    forgetFailed: () => setState((last) => ({ ...last, failed: [] })),
  };
}
export type PhotoUploads = ReturnType<typeof usePhotoUploads>;

/** The file's name, without what says its format. */
const nameOf = ({ name }: File): string =>
  name
    .replace(/\.\w{1,5}$/, '')
    .trim()
    .slice(0, 120) || say('Photo');
