import type { EngineInfo, EngineServer, ServerReport } from '@guise/contract/operator/operator.ts';
import { fullTime } from '../../../ui/format-time.ts';
import { say } from '../../../words/say.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';
import { operatorSentence } from '../operator-sentence.ts';
import { StateMark } from '../state-mark.tsx';
import { EngineActions } from './engine-actions.tsx';
import { EngineFailures } from './engine-failures.tsx';
import { EngineTrialsPart } from './engine-trials.tsx';
import { familyWords } from './engine-words.ts';

/** Engines of the engines file have a title; the others are the local one and those that workers alone know. */
const typeWords = ({ type, title }: EngineInfo) =>
  title ? sayOfServer(title) : say(type === 'local' ? 'on this machine' : 'of a worker');

/** An engine: what it makes, who has it, and how its servers are. */
export function EngineRow({ engine }: { engine: EngineInfo }) {
  return (
    <li className="flex gap-3 border-b py-3.5">
      <StateMark ok={engine.healthy} label={say(engine.healthy ? 'Healthy' : 'Not healthy')} />
      <div className="min-w-0 flex-1">
        <p>
          <span className="font-medium">{engine.name}</span>{' '}
          <span className="text-ink-soft">
            {typeWords(engine)}, {workersOf(engine.workers)}
          </span>
          {engine.paused && <span className="text-accent-ink"> · {say('Paused: it gets no new jobs')}</span>}
        </p>
        <p className="text-small text-ink-soft">
          {say('Makes {families}', { families: familyWords(engine.families) })}
        </p>
        {engine.servers.length > 0 && (
          <ul className="mt-2 flex flex-col gap-2">
            {engine.servers.map((server) => (
              <ServerRow
                key={server.address}
                server={server}
                isPaused={engine.paused}
                report={engine.reports?.find(({ address }) => address === server.address)}
              />
            ))}
          </ul>
        )}
        <EngineFailures failures={engine.failures} />
        <div className="mt-2">
          <EngineActions engine={engine} />
        </div>
        {engine.workflows.length > 0 && (
          <EngineTrialsPart engine={engine.name} workflows={engine.workflows} />
        )}
      </div>
    </li>
  );
}

interface ServerRowProps {
  server: EngineServer;
  report: ServerReport | undefined;
  isPaused: boolean;
}

function ServerRow({ server, report, isPaused }: ServerRowProps) {
  return (
    <li className="flex gap-2">
      <StateMark ok={server.healthy} label={say(server.healthy ? 'Answers' : 'Does not answer')} />
      <div className="min-w-0 text-small">
        <p className="break-all">{server.address}</p>
        <p className="text-ink-soft">{operatorSentence(server.says)}</p>
        {report && <p className="text-ink-soft">{reportSentence(report, isPaused)}</p>}
        {server.missing.length > 0 && (
          <p className="text-lost">
            {say('It lacks {missing}.', { missing: server.missing.map(sayOfServer).join(', ') })}
          </p>
        )}
      </div>
    </li>
  );
}

const stateWords: Record<ServerReport['state'], string> = {
  up: say('Gets jobs'),
  down: say('Gets no jobs: it does not answer'),
  resting: say('Gets no jobs for a while: too many failed there'),
  'too old': say('Gets no jobs: it is too old'),
};

function reportSentence(report: ServerReport, isPaused: boolean): string {
  const { state, since, reason, queue, version, last_error, last_error_at } = report;
  const stated = isPaused && state === 'up' ? say('Answers') : stateWords[state];
  const parts = [
    since ? `${stated}, ${say('since {time}', { time: fullTime(since) })}` : stated,
    reason && reason !== last_error && say('reason: {reason}', { reason: sayOfServer(reason) }),
    queue !== null && say('{count} in its queue', { count: queue }),
    version !== null && say('version {version}', { version }),
    last_error !== null &&
      (last_error_at
        ? say('last error, {time}: {error}', {
            time: fullTime(last_error_at),
            error: sayOfServer(last_error),
          })
        : say('last error: {error}', { error: sayOfServer(last_error) })),
  ];
  return parts.filter(Boolean).join('; ');
}

const workersOf = (count: number) =>
  count === 0
    ? say('no live worker has it')
    : count === 1
      ? say('1 worker')
      : say('{count} workers', { count });
