import type { ModelInfo } from '@guise/contract/operator/operator.ts';
import type { OptionalModel } from '@guise/engine/models/optional-models.ts';
import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import { fetchModel } from '../fetch-model.ts';

type Fetching = Pick<ModelInfo, 'fetching' | 'last_error' | 'needs_restart'>;

/** Models that operators fetch while the server runs: one after another, as npm and the disk are shared. */
export interface ModelFetches {
  /** Begins, unless it is under way. */
  start(folder: string, model: OptionalModel): void;
  of(name: string): Fetching;
}

const untouched: Fetching = { fetching: null, last_error: null, needs_restart: false };

export function createModelFetches(log: Logger): ModelFetches {
  const states = new Map<string, Fetching>();
  let last = Promise.resolve();
  const run = async (folder: string, model: OptionalModel) => {
    const show = (part: string, done: number, total: number) =>
      states.set(model.name, { ...untouched, fetching: { part, done, total } });
    try {
      await fetchModel(folder, model, show);
      states.set(model.name, { ...untouched, needs_restart: true });
    } catch (error) {
      log.error({ err: error, model: model.name }, 'the model could not be fetched');
      const last_error =
        error instanceof AppError ? error.message : 'It could not be written. The log has more.';
      states.set(model.name, { ...untouched, last_error });
    }
  };
  return {
    of: (name) => states.get(name) ?? untouched,
    start(folder, model) {
      if (states.get(model.name)?.fetching) return;
      states.set(model.name, { ...untouched, fetching: { part: 'package', done: 0, total: 0 } });
      last = last.then(() => run(folder, model));
    },
  };
}
