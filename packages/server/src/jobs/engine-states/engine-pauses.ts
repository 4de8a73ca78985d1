import type { Logger } from 'pino';
import { z } from 'zod';
import type { PausableEngine } from '../../engines/paused-engines.ts';
import type { Db } from '../../store/db.ts';
import { readJson } from '../../store/json-column.ts';
import { changeSetting, findSetting } from '../../store/settings.ts';
import type { Changes } from '../changes.ts';

/** The setting that names the paused engines, and the topic of its changes. */
const pausedEngines = 'paused_engines';
const Names = z.array(z.string());
/** Messages from other processes may be lost. */
const rereadMs = 5000;

export async function readPausedEngines(db: Db): Promise<string[]> {
  const value = (await db.one(findSetting, { name: pausedEngines }))?.value;
  return value === undefined ? [] : readJson(Names, value);
}

/** Every worker gives a paused engine no new jobs, also after a restart. */
export async function setEnginePaused(
  { db, changes }: { db: Db; changes: Changes },
  name: string,
  paused: boolean,
): Promise<void> {
  await changeSetting(db, pausedEngines, (value) => {
    const others = (value === undefined ? [] : readJson(Names, value)).filter((other) => other !== name);
    return JSON.stringify(paused ? [...others, name] : others);
  });
  changes.publish(pausedEngines);
}

/** Pauses and resumes the engines of this process as the setting says. Calls back where that changed one. */
export async function followEnginePauses(
  { db, changes, log }: { db: Db; changes: Changes; log: Logger },
  engines: readonly PausableEngine[],
  onChange: () => void,
): Promise<{ stop(): void }> {
  const read = async () => {
    const paused = await readPausedEngines(db);
    const changed = engines.filter((engine) => engine.isPaused !== paused.includes(engine.name));
    for (const engine of changed) engine.setPaused(!engine.isPaused);
    if (changed.length > 0) onChange();
  };
  const readAgain = () =>
    void read().catch((error) => log.warn({ err: error }, 'which engines are paused could not be read'));
  await read();
  const unsubscribe = changes.subscribe(pausedEngines, readAgain);
  const timer = setInterval(readAgain, rereadMs);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      unsubscribe();
    },
  };
}
