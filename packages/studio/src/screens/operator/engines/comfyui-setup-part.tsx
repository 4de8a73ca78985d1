import type { ComfyuiServer, ComfyuiSetup, NewEngineInput } from '@guise/contract/operator/engine-setup.ts';
import { Download } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { saveBlob } from '../../../ui/save-file.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { numberText } from '../../../words/language.ts';
import { say, sayParts } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { EngineDownloadBar, useEngineDownload } from './engine-download.tsx';
import { LackingModels } from './lacking-models.tsx';

interface ComfyuiSetupPartProps {
  setup: ComfyuiSetup;
  engine: NewEngineInput;
  onChangeAndAsk(part: Partial<NewEngineInput>): void;
}

/** What ComfyUI servers have, the set of models for their graphics card, and how to get what they lack. */
export function ComfyuiSetupPart({ setup, engine, onChangeAndAsk }: ComfyuiSetupPartProps) {
  const { card_gb, servers, script } = setup;
  const download = useEngineDownload(() => onChangeAndAsk({}));
  const canDownload = servers.some(({ download: by, models }) => by !== 'script' && models.length > 0);
  return (
    <section aria-label={say('Set of models')} className="flex flex-col gap-4 border-t pt-4">
      <CardField setup={setup} onChangeAndAsk={onChangeAndAsk} />
      {servers.map((server) => (
        <ServerPart key={server.address} server={server} isKnown={card_gb !== null} />
      ))}
      <EngineDownloadBar />
      {script !== null && !download.isRunning && (
        <div className="flex flex-col items-start gap-2">
          <div className="flex flex-wrap gap-2">
            {canDownload && (
              <Button
                busy={download.isStarting}
                icon={<Download size={17} aria-hidden />}
                onClick={() => download.start(engine)}
              >
                {say('Download {size}', { size: sizeOf(servers) })}
              </Button>
            )}
            <ScriptButton kind="quiet" script={script} />
          </div>
          <p className="text-small text-ink-soft">
            {sayParts(
              canDownload
                ? 'The download goes on while you do something else. Other files may lie where the script is run: run {command} in the folder “models” of ComfyUI, then test the connection again.'
                : 'Their folder is not on this machine, so a script downloads them where it is: run {command} in the folder “models” of ComfyUI, then test the connection again.',
              { command: <code className="font-mono">sh get-models.sh</code> },
            )}
          </p>
        </div>
      )}
    </section>
  );
}

/** What a rented endpoint needs on its volume: it cannot be asked what it has. */
export function RunpodSetupPart({ setup, onChangeAndAsk }: Omit<ComfyuiSetupPartProps, 'engine'>) {
  const { script, script_gigabytes } = setup;
  return (
    <section aria-label={say('Set of models')} className="flex flex-col gap-4 border-t pt-4">
      <CardField setup={setup} onChangeAndAsk={onChangeAndAsk} />
      <p className="text-small">
        {say(
          'The endpoint does not say which models it has. Its volume needs the set for its graphics card, about {size} GB; the image of its worker and its settings are in the documentation, “Rent GPUs at RunPod”.',
          { size: numberText(script_gigabytes, 0) },
        )}
      </p>
      {script !== null && (
        <div className="flex flex-col items-start gap-2">
          <ScriptButton script={script} />
          <p className="text-small text-ink-soft">
            {sayParts(
              'Start a pod with the volume, and run {command} there. Once the engine is added, try its workflows: that shows whether all is in place.',
              { command: <code className="font-mono">sh get-models.sh /workspace/models</code> },
            )}
          </p>
        </div>
      )}
    </section>
  );
}

function CardField({ setup: { card_gb, cards }, onChangeAndAsk }: Omit<ComfyuiSetupPartProps, 'engine'>) {
  return (
    <SelectField
      label={say('Graphics card')}
      hint={
        card_gb === null
          ? say('No server says how much memory it has. Choose it, and the models for it are shown.')
          : say('Its memory decides which models are used.')
      }
      value={card_gb ?? ''}
      options={[
        ...(card_gb === null ? [{ value: '', label: say('Not known') }] : []),
        ...cards.map((size) => ({ value: String(size), label: `${size} GB` })),
      ]}
      onChange={({ target }) =>
        onChangeAndAsk({ card_gb: target.value === '' ? null : Number(target.value) })
      }
    />
  );
}

function ScriptButton({ script, kind = 'plain' }: { script: string; kind?: 'plain' | 'quiet' }) {
  const save = () => saveBlob(new Blob([script], { type: 'text/x-shellscript' }), 'get-models.sh');
  return (
    <Button kind={kind} onClick={save}>
      {say('Save a script that downloads them')}
    </Button>
  );
}

const sizeOf = (servers: readonly ComfyuiServer[]) => {
  const gigabytes = servers
    .filter(({ download }) => download !== 'script')
    .reduce((sum, server) => sum + server.gigabytes, 0);
  return `${numberText(gigabytes, 1)} GB`;
};

const downloadWords = {
  here: (folder: string | null) => say('Downloaded by this machine, to {folder}.', { folder: folder ?? '' }),
  manager: () => say('Downloaded by ComfyUI-Manager on the server, as far as it knows them.'),
  script: () => say('To be downloaded on the server, by a script.'),
} satisfies Record<ComfyuiServer['download'], (folder: string | null) => string>;

interface ServerPartProps {
  server: ComfyuiServer;
  /** Whether the graphics card is known. */
  isKnown: boolean;
}

function ServerPart({ server, isKnown }: ServerPartProps) {
  const { address, says, problem, found, lacks, models, gigabytes, download, folder } = server;
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="break-all">{address}</h3>
      <p className="text-small text-ink-soft">{sayOfServer(says)}</p>
      {problem && (
        <p className="text-small text-lost">
          {say('It cannot be used: {problem}.', { problem: sayOfServer(problem) })}
        </p>
      )}
      {[
        ...found.map((finding) => say('It {finding}.', { finding: sayOfServer(finding) })),
        ...lacks.map((sentence) => `${capital(sayOfServer(sentence))}.`),
      ].map((sentence) => (
        <p key={sentence} className="text-small [overflow-wrap:anywhere]">
          {sentence}
        </p>
      ))}
      {!problem && isKnown && models.length === 0 && lacks.length === 0 && (
        <p className="text-small">{say('It has every file of the set.')}</p>
      )}
      {models.length > 0 && (
        <>
          <p>
            {models.length === 1
              ? say('It lacks 1 file, about {size} GB.', { size: numberText(gigabytes, 1) })
              : say('It lacks {count} files, about {size} GB.', {
                  count: models.length,
                  size: numberText(gigabytes, 1),
                })}{' '}
            <span className="text-ink-soft">{downloadWords[download](folder)}</span>
          </p>
          <LackingModels models={models} />
        </>
      )}
    </div>
  );
}

const capital = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);
