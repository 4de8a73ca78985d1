import type { QuickTestGuestApi } from '@guise/client/quick-test-guest-api.ts';
import type { Ratio } from '@guise/contract/common.ts';
import type { QuickTest } from '@guise/contract/quick-tests.ts';
import { Download } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { type Photo, readPhoto } from '../../photo/photo.ts';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import { GuestPhotoButtons } from './guest-photo-buttons.tsx';
import { GuestPicture } from './guest-picture.tsx';
import { RunsLeft } from './runs-left.tsx';
import { useGuestRun } from './use-guest-run.ts';

interface QuickTestBoothProps {
  guest: QuickTestGuestApi;
  quickTest: QuickTest;
  onRunsUsed(): void;
}

const shapeLabels: Record<Ratio, string> = {
  portrait: say('Portrait'),
  landscape: say('Landscape'),
  square: say('Square'),
};
const whoLabels: Record<number, string> = { 0: say('Man'), 1: say('Woman'), 2: say('Boy'), 3: say('Girl') };

interface Chosen {
  gender?: number;
  ratio: Ratio;
}

/** One photo, one button, one picture. */
export function QuickTestBooth({ guest, quickTest, onRunsUsed }: QuickTestBoothProps) {
  const { filter, ratios, runs_left } = quickTest;
  const { state, start, reset } = useGuestRun(guest, onRunsUsed);
  const [photo, setPhoto] = useState<Photo>();
  const [problem, setProblem] = useState<string>();
  const [chosen, setChosen] = useState<Chosen>({ ratio: 'portrait' });
  const isBusy = state.step === 'sending' || state.step === 'making';
  const isUsedUp = runs_left === 0;

  const takePhoto = (next: Photo) => {
    setProblem(undefined);
    reset();
    setPhoto(next);
  };
  const takeFile = async (file: File | undefined) => {
    if (!file || isBusy || isUsedUp) return;
    try {
      takePhoto(await readPhoto(file, file.name));
    } catch (error) {
      setProblem(errorSentence(error));
    }
  };
  const { gender, ratio } = chosen;
  const run = () =>
    photo &&
    void start({
      photo,
      ...(gender !== undefined && { gender }),
      ...(ratios.length > 0 && { ratio }),
    });
  const sentence = problem ?? (state.step === 'failed' ? state.sentence : undefined);

  return (
    <main
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        void takeFile(event.dataTransfer.files[0]);
      }}
      className="mx-auto grid min-h-dvh max-w-6xl grid-cols-[minmax(0,1fr)_20rem] items-center gap-x-12 px-8 py-8 max-lg:max-w-xl max-lg:grid-cols-1 max-lg:grid-rows-[auto_minmax(0,1fr)_auto] max-lg:gap-y-4 max-lg:px-4 max-lg:py-4"
    >
      <header className="self-end max-lg:self-auto lg:col-start-2">
        {quickTest.name && <p className="text-small text-ink-soft">{quickTest.name}</p>}
        <h1 className="break-words">{filter.name}</h1>
      </header>
      <div className="flex min-h-0 items-center justify-center lg:col-start-1 lg:row-span-2 lg:row-start-1">
        <GuestPicture state={state} photo={photo} preview={filter.preview_url} name={filter.name} />
      </div>
      <div className="flex flex-col gap-4 self-start lg:col-start-2 lg:pt-6">
        {sentence && (
          <p role="alert" className="text-lost">
            {sentence}
          </p>
        )}
        {state.step === 'done' ? (
          <DownloadLink url={state.picture} name={`${filter.name}.png`} />
        ) : (
          photo &&
          !isUsedUp && (
            <MakePicture
              quickTest={quickTest}
              chosen={chosen}
              isBusy={isBusy}
              onChange={setChosen}
              onMake={run}
            />
          )
        )}
        {isBusy ? (
          <Button kind="quiet" onClick={reset}>
            {say('Stop waiting')}
          </Button>
        ) : (
          !isUsedUp && <GuestPhotoButtons isFirst={!photo} onFile={takeFile} onPhoto={takePhoto} />
        )}
        <RunsLeft quickTest={quickTest} />
      </div>
    </main>
  );
}

interface MakePictureProps {
  quickTest: QuickTest;
  chosen: Chosen;
  isBusy: boolean;
  onChange(chosen: Chosen): void;
  onMake(): void;
}

/** What the filter of the link lets a guest choose, and the button. */
function MakePicture({ quickTest, chosen, isBusy, onChange, onMake }: MakePictureProps) {
  const { genders, ratios } = quickTest;
  const needsGender = genders.length > 0 && chosen.gender === undefined;
  return (
    <>
      {genders.length > 0 && (
        <Segmented
          label={say('Who is in the photo')}
          className="flex w-full"
          value={chosen.gender === undefined ? '' : String(chosen.gender)}
          options={genders.map(({ value, name }) => ({
            value: String(value),
            label: whoLabels[value] ?? name,
          }))}
          onChange={(value) => onChange({ ...chosen, gender: Number(value) })}
        />
      )}
      {ratios.length > 0 && (
        <Segmented<Ratio>
          label={say('Shape of the picture')}
          className="flex w-full"
          value={chosen.ratio}
          options={ratios.map((value) => ({ value, label: shapeLabels[value] }))}
          onChange={(ratio) => onChange({ ...chosen, ratio })}
        />
      )}
      <Button
        kind={needsGender ? 'plain' : 'primary'}
        className="min-h-12"
        disabled={needsGender}
        busy={isBusy}
        onClick={onMake}
      >
        {needsGender
          ? say('Who is in the photo?')
          : isBusy
            ? say('Making your picture')
            : say('Make my picture')}
      </Button>
    </>
  );
}

function DownloadLink({ url, name }: { url: string; name: string }) {
  return (
    <a
      href={url}
      download={name}
      className="inline-flex min-h-12 items-center justify-center gap-2 rounded-card bg-accent px-4 font-semibold text-on-accent hover:brightness-105"
    >
      <Download size={18} aria-hidden />
      {say('Download')}
    </a>
  );
}
