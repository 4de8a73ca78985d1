import { InferenceSession } from 'onnxruntime-node';
import { modelUnusable, readModelFile } from './model-files.ts';
import type { Model } from './models.ts';

const sessions = new Map<Model, Promise<InferenceSession>>();

/** The model's session: loaded and checked on first use, then shared by the whole process. */
export function session(model: Model): Promise<InferenceSession> {
  let loaded = sessions.get(model);
  if (!loaded) {
    loaded = open(model);
    // A failed load is forgotten, so that a repaired installation works without a restart.
    loaded.catch(() => sessions.delete(model));
    sessions.set(model, loaded);
  }
  return loaded;
}

/**
 * Lends a session that is closed after its use. Its memory goes with it: what a large look took at most stays with an
 * open session for good, 360 MB for MI-GAN, and opening it again costs a quarter of a second.
 */
export async function withSession<T>(
  model: Model,
  use: (network: InferenceSession) => Promise<T>,
): Promise<T> {
  const network = await open(model);
  try {
    return await use(network);
  } finally {
    await network.release();
  }
}

async function open(model: Model): Promise<InferenceSession> {
  const weights = await readModelFile(model.weights);
  const topology = model.topology && (await readModelFile(model.topology));
  try {
    return await InferenceSession.create(model.arrange?.(weights, topology) ?? weights, {
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
      // Without the arena every layer asks the system for fresh pages: MI-GAN took 5.1 s of CPU instead of 2.0, MODNet
      // 0.9 instead of 0.7. A pattern would keep a second block of memory for every size of input, for no time.
      enableCpuMemArena: true,
      enableMemPattern: false,
      // Threads that spin while they wait take the cores from whoever else works: another third of the CPU.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    });
  } catch (cause) {
    throw modelUnusable(model.weights, 'cannot be loaded', cause);
  }
}
