import { GuiseError } from '@guise/client/guise-error.ts';
import type { EngineTrial, EngineTrials } from '@guise/contract/operator/engine-setup.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Images } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { dollars } from '../../../ui/dollars.ts';
import { Problem } from '../../../ui/problem.tsx';
import { ProgressBar } from '../../../ui/progress-bar.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { operatorSentence } from '../operator-sentence.ts';
import { familyWords } from './engine-words.ts';

const readAgainMs = 1000;

/** One picture of each workflow of an engine, with its seconds and what it cost. */
export function EngineTrialsPart({ engine, workflows }: { engine: string; workflows: readonly string[] }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const queryKey = ['engine-trials', engine];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => guise.operator.engineTrials(engine),
    refetchInterval: ({ state }) => (state.data?.running ? readAgainMs : false),
  });
  const start = useMutation({
    mutationFn: () => guise.operator.startEngineTrials(engine),
    onSuccess: (now) => queries.setQueryData<EngineTrials>(queryKey, now),
  });
  const running = data?.running;
  // Where several processes work for the installation: another try is refused as well.
  const isRefused = start.error instanceof GuiseError && start.error.code === 'RESTART_UNAVAILABLE';
  const problem = start.error ?? error;
  return (
    <div className="mt-3 flex flex-col items-start gap-3">
      {problem && <Problem error={problem} {...(!isRefused && { onRetry: () => void refetch() })} />}
      {running ? (
        <div className="w-full max-w-md">
          <ProgressBar
            label={say('{workflow}, {number} of {total}', {
              workflow: running.workflow,
              number: data.trials.length + 1,
              total: data.workflows,
            })}
            share={running.share}
          />
        </div>
      ) : (
        !isRefused && (
          <Button
            className="min-h-9 text-small"
            busy={start.isPending}
            icon={<Images size={16} aria-hidden />}
            onClick={() => start.mutate()}
          >
            {data?.made_at ? say('Try its workflows again') : tryWords(workflows.length)}
          </Button>
        )
      )}
      {data?.error && <p className="text-small text-lost">{operatorSentence(data.error)}</p>}
      {data && data.trials.length > 0 && (
        <ul
          aria-label={say('What its workflows make')}
          className="grid w-full grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-4 gap-y-5"
        >
          {data.trials.map((trial, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two routes may have the same workflow, and their order stays
            <TrialCard key={i} trial={trial} madeAt={data.made_at} />
          ))}
        </ul>
      )}
    </div>
  );
}

const tryWords = (count: number) =>
  count === 1 ? say('Try its workflow') : say('Try its {count} workflows', { count });

interface TrialCardProps {
  trial: EngineTrial;
  /** When all were made: their addresses are always the same. */
  madeAt: string | null;
}

function TrialCard({ trial, madeAt }: TrialCardProps) {
  const { workflow, family, url, error, ignored } = trial;
  return (
    <li className="min-w-0 text-small">
      {url === null ? (
        <div className="grid aspect-[2/3] place-items-center rounded-card border border-lost p-3">
          <p className="line-clamp-[12] text-lost [overflow-wrap:anywhere]">
            {error && operatorSentence(error)}
          </p>
        </div>
      ) : (
        <TrialFile key={madeAt} url={url} workflow={workflow} />
      )}
      <p className="mt-1.5 font-medium break-words">{workflow}</p>
      <p className="text-ink-soft">
        {familyWords([family])}, {spentOf(trial)}
      </p>
      {ignored.map((sentence) => (
        <p key={sentence} className="text-ink-soft">
          {sayOfServer(sentence)}
        </p>
      ))}
    </li>
  );
}

const frame = 'aspect-[2/3] w-full rounded-card bg-panel object-contain';

/** A picture or a video, which is shown to operators only. */
function TrialFile({ url, workflow }: { url: string; workflow: string }) {
  const file = useFileUrl(url);
  if (file === null) return <div className={frame} />;
  // biome-ignore lint/a11y/useMediaCaption: nothing is said in it
  if (url.endsWith('.mp4')) return <video src={file} controls className={frame} />;
  return (
    <a href={file} target="_blank" rel="noreferrer" className="block">
      <img src={file} alt={say('What {workflow} made of the sample', { workflow })} className={frame} />
    </a>
  );
}

/** A page's own address for a file that is read with the session of the studio; null until it is there. */
function useFileUrl(url: string): string | null {
  const guise = useGuise();
  const [fileUrl, setFileUrl] = useState<string | null>(null);
  useEffect(() => {
    const left = new AbortController();
    let made = '';
    guise.readFile(url, left.signal).then(
      (blob) => {
        if (left.signal.aborted) return;
        made = URL.createObjectURL(blob);
        setFileUrl(made);
      },
      // The listing is read again, and with it the file.
      () => {},
    );
    return () => {
      left.abort();
      URL.revokeObjectURL(made);
    };
  }, [guise, url]);
  return fileUrl;
}

function spentOf({ seconds, gpu_seconds, cost_usd }: EngineTrial): string {
  const parts = [
    `${seconds} s`,
    gpu_seconds !== null && say('{seconds} s of GPU', { seconds: numberText(gpu_seconds, 1) }),
    cost_usd !== null && dollars(cost_usd),
  ];
  return parts.filter(Boolean).join(', ');
}
