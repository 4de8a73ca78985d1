import type { EngineDownload, NewEngineInput } from '@guise/contract/operator/engine-setup.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';

const queryKey = ['engine-download'];
const readAgainMs = 1000;

function useDownloadState() {
  const guise = useGuise();
  return useQuery({
    queryKey,
    queryFn: () => guise.operator.engineDownload(),
    refetchInterval: ({ state }) => (state.data?.running ? readAgainMs : false),
  }).data;
}

/** Starts a download, and tells when it has ended. */
export function useEngineDownload(onEnd: () => void) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { fail } = useToast();
  const state = useDownloadState();
  const isRunning = !!state?.running;
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) onEnd();
    wasRunning.current = isRunning;
  });
  const start = useMutation({
    mutationFn: (engine: NewEngineInput) => guise.operator.startEngineDownload(engine),
    onSuccess: (now) => queries.setQueryData<EngineDownload>(queryKey, now),
    onError: (error) => fail(errorSentence(error)),
  });
  return { isRunning, isStarting: start.isPending, start: start.mutate };
}

/** How far the download is, with a way to stop it, and why the last one did not get everything. */
export function EngineDownloadBar() {
  const guise = useGuise();
  const queries = useQueryClient();
  const state = useDownloadState();
  const stop = useMutation({
    mutationFn: () => guise.operator.stopEngineDownload(),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
  if (state?.running) {
    const { engine, file, number, files, done, total } = state.running;
    const share = total === 0 ? null : done / total;
    return (
      <div className="flex flex-col items-start gap-2">
        <div className="w-full">
          <ProgressBar
            label={say('Models for {engine}, {number} of {files}: {file}', { engine, number, files, file })}
            share={share}
          />
        </div>
        <Button kind="quiet" busy={stop.isPending} onClick={() => stop.mutate()}>
          {say('Stop the download')}
        </Button>
      </div>
    );
  }
  const { error, left = [] } = state?.last ?? {};
  if (!error && left.length === 0) return null;
  return (
    <div role="status" className="text-small">
      {error && <p className="text-lost [overflow-wrap:anywhere]">{sayOfServer(error)}</p>}
      {left.length > 0 && (
        <p className="[overflow-wrap:anywhere]">
          {say('Left for the script: {files}.', { files: left.join(', ') })}
        </p>
      )}
    </div>
  );
}
