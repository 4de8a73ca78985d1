import type { JobDetail } from '@guise/contract/job-details.ts';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import type { Photo } from '../../photo/photo.ts';
import { PhotoInput } from '../../photo/photo-input.tsx';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { FilterWall } from './filter-wall.tsx';
import { RecentResults } from './recent-results.tsx';
import { ResultPanel } from './result-panel.tsx';
import { creditsOf, firstChoice, planRun, type RunChoice } from './run-choice.ts';
import { RunOptions } from './run-options.tsx';
import { SamplePhotos } from './sample-photos.tsx';
import { StepTabs, type TryStep } from './step-tabs.tsx';
import { useAskedFilter } from './use-asked-filter.ts';
import { useRun } from './use-run.ts';

// The first page shows filters: the rest need not be loaded with it.
const WordsPanel = lazy(() => import('./words-panel.tsx').then((m) => ({ default: m.WordsPanel })));
const VideoPanel = lazy(() => import('./video-panel.tsx').then((m) => ({ default: m.VideoPanel })));

export const Route = createLazyRoute('/')({ component: TryScreen });

const kinds = [
  { value: 'filter', label: 'Filter' },
  { value: 'words', label: 'Words' },
  { value: 'video', label: 'Video' },
] as const;

/** A photo, a filter, a picture: side by side, or one after the other on a phone. */
function TryScreen() {
  const [choice, setChoice] = useState<RunChoice>(firstChoice);
  const [photo, setPhoto] = useState<Photo>();
  const [lastFrame, setLastFrame] = useState<Photo>();
  const [step, setStep] = useState<TryStep>('photo');
  const [recent, setRecent] = useState<JobDetail[]>([]);
  const remember = useCallback((job: JobDetail) => setRecent((jobs) => [job, ...jobs].slice(0, 12)), []);
  const { state, start, cancel, dismissFailure } = useRun(remember);
  const result = useShownResult(state.step);
  const prices = usePrices();

  const change = (next: Partial<RunChoice>) => setChoice((last) => ({ ...last, ...next }));
  const asked = useAskedFilter((filter) => change({ kind: 'filter', filter }));
  const planned = planRun(choice, { first: photo !== undefined, second: lastFrame !== undefined });
  const run = typeof planned === 'string' ? undefined : planned;
  const credits = run && creditsOf(run, prices);
  const isBusy = state.step === 'sending' || state.step === 'waiting' || state.step === 'running';
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something else would be made
  useEffect(dismissFailure, [photo, lastFrame, choice]);
  const begin = () => {
    if (!run) return;
    setStep('result');
    void start(run, { first: photo, second: lastFrame });
  };
  const takePhoto = (next: Photo | undefined) => {
    setPhoto(next);
    if (next) setStep('filter');
  };

  const action = (
    <Button kind="primary" className="w-full" disabled={!run} busy={isBusy} onClick={begin}>
      {isBusy ? 'Making…' : run ? `Make it${credits ? `, ${credits} credits` : ''}` : String(planned)}
    </Button>
  );
  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">Try</h1>
      <StepTabs step={step} onChange={setStep} done={{ photo: !!photo, filter: !!run }} />
      <div className="grid flex-1 grid-cols-[19rem_minmax(0,1fr)_minmax(20rem,30rem)] max-xl:flex-none max-xl:grid-cols-[20rem_minmax(0,1fr)] max-md:block xl:min-h-0">
        <div
          className={`flex min-h-0 flex-col gap-5 border-r p-5 max-md:border-r-0 md:overflow-y-auto md:max-xl:h-[38rem] max-md:p-4 ${step === 'photo' ? '' : 'max-md:hidden'}`}
        >
          <FirstPhoto choice={choice} photo={photo} onPhoto={takePhoto} />
          <RunOptions choice={choice} onChange={change} />
          <div className="mt-auto max-md:hidden">{action}</div>
        </div>
        <div
          className={`flex min-h-0 flex-col gap-4 p-5 max-md:p-4 md:overflow-y-auto md:max-xl:h-[38rem] ${step === 'filter' ? '' : 'max-md:hidden'}`}
        >
          <Choices
            choice={choice}
            asked={asked}
            onChange={change}
            lastFrame={lastFrame}
            onLastFrame={setLastFrame}
          />
        </div>
        <div
          ref={result}
          className={`flex flex-col gap-5 border-l p-5 xl:min-h-0 xl:overflow-y-auto max-xl:col-span-2 max-xl:border-t max-xl:border-l-0 max-md:border-t-0 max-md:p-4 ${step === 'result' ? '' : 'max-md:hidden'}`}
        >
          <ResultPanel state={state} planned={run} onCancel={cancel} />
          <RecentResults jobs={recent} />
        </div>
      </div>
      <div className="sticky bottom-0 border-t bg-ground p-3 md:hidden">
        {step === 'photo' && photo ? (
          <Button kind="primary" className="w-full" onClick={() => setStep('filter')}>
            Choose a filter
          </Button>
        ) : (
          action
        )}
      </div>
    </div>
  );
}

/** The place of the result, which is scrolled to when there is something: on a tablet it is below the photo and the filters. */
function useShownResult(step: ReturnType<typeof useRun>['state']['step']) {
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (step === 'sending' || step === 'done')
      result.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [step]);
  return result;
}

function usePrices() {
  const guise = useGuise();
  const { data } = useQuery({
    queryKey: ['prices'],
    queryFn: () => guise.catalogs.prices(),
    staleTime: Infinity,
  });
  return data?.prices ?? {};
}

interface FirstPhotoProps {
  choice: RunChoice;
  photo: Photo | undefined;
  onPhoto(photo: Photo | undefined): void;
}

function FirstPhoto({ choice, photo, onPhoto }: FirstPhotoProps) {
  const hasTwoFrames = choice.kind === 'video' && choice.frames === 'two';
  return (
    <PhotoInput
      label={hasTwoFrames ? 'First frame' : 'Photo'}
      showsLabel={hasTwoFrames}
      photo={photo}
      onChange={onPhoto}
      takesPasted
      // On a tablet the choices and the button fit below it.
      size="max-h-[52dvh] md:max-xl:max-h-[min(52dvh,17rem)]"
    >
      <SamplePhotos onPhoto={onPhoto} />
    </PhotoInput>
  );
}

interface ChoicesProps {
  choice: RunChoice;
  /** The filter that the address asks for. */
  asked: ReturnType<typeof useAskedFilter>;
  onChange(next: Partial<RunChoice>): void;
  lastFrame: Photo | undefined;
  onLastFrame(photo: Photo | undefined): void;
}

/** What a picture or a video is made from: a filter, words, or what moves. */
function Choices({ choice, asked, onChange, lastFrame, onLastFrame }: ChoicesProps) {
  const isGroup = choice.who === 'group';
  return (
    <>
      <Segmented
        label="What to make it from"
        value={choice.kind}
        options={kinds}
        onChange={(kind) => onChange({ kind, ...(isGroup && { who: 'woman' }) })}
        className="self-start"
      />
      {choice.kind === 'filter' && (
        <FilterWall
          key={asked}
          chosen={choice.filter}
          onChoose={(filter) =>
            onChange({ filter, ...(filter.catalog === 'own' && isGroup && { who: 'woman' }) })
          }
        />
      )}
      <Suspense>
        {choice.kind === 'words' && <WordsPanel choice={choice} onChange={onChange} />}
        {choice.kind === 'video' && (
          <VideoPanel choice={choice} onChange={onChange} lastFrame={lastFrame} onLastFrame={onLastFrame} />
        )}
      </Suspense>
    </>
  );
}
