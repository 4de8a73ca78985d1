import type { JobDetail } from '@guise/contract/job-details.ts';
import { createLazyRoute } from '@tanstack/react-router';
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { isComplete } from '../../photo/burst.ts';
import { type Photo, readPhoto } from '../../photo/photo.ts';
import { PhotoInput } from '../../photo/photo-input.tsx';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { jobTitle } from '../jobs/job-words.ts';
import { FilterWall } from './filter-wall.tsx';
import { HistoryStrip } from './history-strip.tsx';
import { MakeButton } from './make-button.tsx';
import { ResultPanel } from './result-panel.tsx';
import { planRuns, type RunChoice } from './run-choice.ts';
import { RunOptions } from './run-options.tsx';
import { chosenPhotos, isUnderWay, type Run } from './run-states.ts';
import { SamplePhotos } from './sample-photos.tsx';
import { StepTabs, type TryStep } from './step-tabs.tsx';
import { useAgain } from './use-again.ts';
import { useAskedFilter } from './use-asked-filter.ts';
import { useRuns } from './use-runs.ts';
import { useWorkbench } from './use-workbench.ts';

// The first page shows filters: the rest need not be loaded with it.
const WordsPanel = lazy(() => import('./words-panel.tsx').then((m) => ({ default: m.WordsPanel })));
const BurstInput = lazy(() => import('../../photo/burst-input.tsx').then((m) => ({ default: m.BurstInput })));
const VideoPanel = lazy(() => import('./video-panel.tsx').then((m) => ({ default: m.VideoPanel })));

export const Route = createLazyRoute('/')({ component: TryScreen });

const kinds = [
  { value: 'filter', label: say('Filter') },
  { value: 'words', label: say('Words') },
  { value: 'video', label: say('Video') },
  { value: 'portrait', label: say('Living portrait') },
] as const;

/** A photo, a filter, a picture: side by side, or one after the other on a phone. */
function TryScreen() {
  const [step, setStep] = useState<TryStep>('photo');
  const { runs, start, show, cancel, dismissFailures } = useRuns();
  const shown = runs.flatMap(({ id }) => id ?? []);
  const bench = useWorkbench(shown, show);
  const { choice, change, photo, setPhoto, lastFrame, setLastFrame, burst, setBurst } = bench;
  const isPortrait = choice.kind === 'portrait';
  const hasPhotos = isPortrait ? isComplete(burst) : photo !== undefined;
  const isBusy = runs.some(({ state }) => isUnderWay(state));
  const result = useShownResult(runs);
  const readPicture = useReadPicture();

  const asked = useAskedFilter(bench.isRestored, (filter) =>
    change({ kind: 'filter', filters: [filter], several: false }),
  );
  const again = useAgain(bench.isRestored, (chosen) => {
    change(chosen);
    setStep(hasPhotos ? 'filter' : 'photo');
  });
  const planned = planRuns(choice, chosenPhotos({ first: photo, second: lastFrame, burst }));
  const plans = typeof planned === 'string' ? undefined : planned;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something else would be made
  useEffect(dismissFailures, [photo, lastFrame, burst, choice]);
  const begin = () => {
    if (!plans) return;
    setStep('result');
    void start(plans, { first: photo, second: lastFrame, burst });
  };
  const takePhoto = (next: Photo | undefined) => {
    setPhoto(next);
    if (next) setStep('filter');
  };

  const action = <MakeButton planned={planned} isBusy={isBusy} onClick={begin} />;
  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">{say('Try')}</h1>
      <StepTabs step={step} onChange={setStep} done={{ photo: hasPhotos, filter: !!plans }} />
      <TryColumns
        step={step}
        resultRef={result}
        photo={
          <>
            <Suspense>
              {isPortrait && <BurstInput burst={burst} onChange={setBurst} />}
              {!isPortrait && <FirstPhoto choice={choice} photo={photo} onPhoto={takePhoto} />}
            </Suspense>
            <RunOptions choice={choice} onChange={change} />
            <div className="mt-auto max-md:hidden">{action}</div>
          </>
        }
        choices={
          <Choices
            choice={choice}
            asked={asked}
            onChange={change}
            lastFrame={lastFrame}
            onLastFrame={setLastFrame}
          />
        }
        result={
          <ResultPanel
            runs={runs}
            planned={plans?.[0]?.plan}
            onCancel={(key) => void cancel(key)}
            onAgain={again}
            onUsePicture={(job) => void readPicture(job).then((next) => next && takePhoto(next))}
          />
        }
      />
      <div className={step === 'result' ? '' : 'max-md:hidden'}>
        <HistoryStrip shown={shown} onShow={(id) => show([id])} />
      </div>
      <PhoneAction showsNext={step === 'photo' && hasPhotos} onNext={() => setStep('filter')}>
        {action}
      </PhoneAction>
    </div>
  );
}

interface PhoneActionProps {
  /** Whether there is a photo, and a filter comes next. */
  showsNext: boolean;
  onNext(): void;
  children: ReactNode;
}

/** The button at the bottom of a phone: the next step, or the start. */
function PhoneAction({ showsNext, onNext, children }: PhoneActionProps) {
  return (
    <div className="sticky bottom-0 border-t bg-ground p-3 md:hidden">
      {showsNext ? (
        <Button kind="primary" className="w-full" onClick={onNext}>
          {say('Choose a filter')}
        </Button>
      ) : (
        children
      )}
    </div>
  );
}

interface TryColumnsProps {
  /** The one that a phone shows. */
  step: TryStep;
  resultRef: RefObject<HTMLDivElement | null>;
  photo: ReactNode;
  choices: ReactNode;
  result: ReactNode;
}

/** Three columns; on a tablet the result is below the other two. */
function TryColumns({ step, resultRef, photo, choices, result }: TryColumnsProps) {
  const shownIn = (own: TryStep) => (step === own ? '' : 'max-md:hidden');
  return (
    <div className="grid flex-1 grid-cols-[19rem_minmax(0,1fr)_minmax(20rem,30rem)] max-xl:flex-none max-xl:grid-cols-[20rem_minmax(0,1fr)] max-md:block xl:min-h-0">
      <div
        className={`flex min-h-0 flex-col gap-5 border-r p-5 max-md:border-r-0 md:overflow-y-auto md:max-xl:h-[38rem] max-md:p-4 ${shownIn('photo')}`}
      >
        {photo}
      </div>
      <div
        className={`flex min-h-0 flex-col gap-4 p-5 max-md:p-4 md:overflow-y-auto md:max-xl:h-[38rem] ${shownIn('filter')}`}
      >
        {choices}
      </div>
      <div
        ref={resultRef}
        className={`flex flex-col gap-5 border-l p-5 xl:min-h-0 xl:overflow-y-auto max-xl:col-span-2 max-xl:border-t max-xl:border-l-0 max-md:border-t-0 max-md:p-4 ${shownIn('result')}`}
      >
        {result}
      </div>
    </div>
  );
}

/** The place of the result, which is scrolled to when there is something: on a tablet it is below the photo and the filters. */
function useShownResult(runs: readonly Run[]) {
  const result = useRef<HTMLDivElement>(null);
  const steps = runs.map(({ state }) => state.step);
  const step = steps.includes('sending') ? 'sending' : steps[0];
  useEffect(() => {
    if (step === 'sending' || step === 'done')
      result.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [step]);
  return result;
}

/** Reads the picture of a job as a photo, to go on from. */
function useReadPicture() {
  const guise = useGuise();
  const toast = useToast();
  return async (job: JobDetail): Promise<Photo | undefined> => {
    try {
      return await readPhoto(await guise.readFile(job.result_url!), jobTitle(job));
    } catch (error) {
      toast.fail(errorSentence(error));
      return undefined;
    }
  };
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
      label={hasTwoFrames ? say('First frame') : say('Photo')}
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
        label={say('What to make it from')}
        value={choice.kind}
        options={kinds}
        onChange={(kind) => onChange({ kind, ...(isGroup && { who: 'woman' }) })}
        className="self-start"
      />
      {choice.kind === 'portrait' && (
        <FilterWall
          chosen={choice.filters.slice(0, 1)}
          onChoose={([filter]) =>
            onChange({
              filters: filter ? [filter] : [],
              ...(filter?.catalog === 'own' && isGroup && { who: 'woman' }),
            })
          }
        />
      )}
      {choice.kind === 'filter' && (
        <FilterWall
          key={asked}
          chosen={choice.filters}
          several={choice.several}
          onChoose={(filters) =>
            onChange({
              filters,
              ...(filters.some(({ catalog }) => catalog === 'own') && isGroup && { who: 'woman' }),
            })
          }
          onSeveral={(several) =>
            onChange({ several, ...(!several && { filters: choice.filters.slice(0, 1) }) })
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
