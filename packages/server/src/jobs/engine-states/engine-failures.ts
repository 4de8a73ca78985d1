import type { EngineInfo } from '@guise/contract/operator/operator.ts';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isoTime } from '../../iso-time.ts';
import type { Db } from '../../store/db.ts';
import { readJson } from '../../store/json-column.ts';
import { changeSetting, findSetting } from '../../store/settings.ts';
import type { TimedAttempt } from '../run-report.ts';

const settingOf = (engine: string) => `engine_failures ${engine}`;
/** Of each engine, the newest first. */
const mostKept = 10;
const Failures = z.array(z.object({ at: z.number(), server: z.string(), cause: z.string() }));

/** Keeps what the servers of an engine did not make, for whoever runs the installation. */
export async function noteEngineFailures(
  { db, log }: { db: Db; log: Logger },
  engine: string | null,
  attempts: readonly TimedAttempt[],
): Promise<void> {
  const failed = attempts.flatMap(({ at, server, cause }) =>
    cause === null ? [] : [{ at, server, cause: sentenceOf(cause) }],
  );
  if (engine === null || failed.length === 0) return;
  await changeSetting(db, settingOf(engine), (value) => {
    const before = value === undefined ? [] : readJson(Failures, value);
    return JSON.stringify([...failed.toReversed(), ...before].slice(0, mostKept));
  }).catch((error) => log.warn({ err: error, engine }, 'what an engine did not make was not noted'));
}

export async function readEngineFailures(db: Db, engine: string): Promise<EngineInfo['failures']> {
  const value = (await db.one(findSetting, { name: settingOf(engine) }))?.value;
  if (value === undefined) return [];
  return readJson(Failures, value).map(({ at, ...failure }) => ({ at: isoTime(at), ...failure }));
}

/** Without the name of an error and where in the code it was: that is on the job's page and in the log. */
const sentenceOf = (cause: string) => cause.split('\n', 1)[0]!.replace(/^\w*Error: /, '');
