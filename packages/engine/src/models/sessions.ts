import { readOnnxModel } from './model-cache.ts';
import { modelUnusable } from './model-files.ts';
import type { Model } from './models.ts';
import { InferenceSession } from './onnxruntime.ts';

/**
 * The models that this process has loaded, shared by all its pictures. It is module state on purpose: handed down, it
 * would be a parameter of every function on the way from a photo to its faces and its matte.
 */
const sessions = new Map<Model, Promise<InferenceSession>>();

/**
 * The model's session: loaded and checked on first use, then shared by the whole process. Whoever loads it first says
 * where converted models are kept; without a folder, a conversion is not kept.
 */
export function session(model: Model, cacheDir: string | null = null): Promise<InferenceSession> {
  let loaded = sessions.get(model);
  if (!loaded) {
    loaded = open(model, cacheDir);
    // A failed load is forgotten, so that a repaired installation works without a restart.
    loaded.catch(() => sessions.delete(model));
    sessions.set(model, loaded);
  }
  return loaded;
}

/**
 * Lends a session that is closed after its use. Its memory goes with it: what a large input took at most stays with an
 * open session for good, 360 MB for MI-GAN, and opening it again costs a quarter of a second.
 */
export async function withSession<T>(
  model: Model,
  use: (network: InferenceSession) => Promise<T>,
  cacheDir: string | null = null,
): Promise<T> {
  const network = await open(model, cacheDir);
  try {
    return await use(network);
  } finally {
    await network.release();
  }
}

/**
 * The same, for a model file that no package carries. The runtime opens it by its path, so that its bytes are not held
 * twice.
 */
export async function withFileSession<T>(
  file: string,
  use: (network: InferenceSession) => Promise<T>,
): Promise<T> {
  const network = await InferenceSession.create(file, sessionOptions);
  try {
    return await use(network);
  } finally {
    await network.release();
  }
}

const sessionOptions: InferenceSession.SessionOptions = {
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
  // Without the arena every layer asks the system for fresh pages: MI-GAN took 5.1 s of CPU instead of 2.0, MODNet
  // 0.9 instead of 0.7. A pattern would keep a second block of memory for every size of input, for no time.
  enableCpuMemArena: true,
  enableMemPattern: false,
  // Threads that spin while they wait take the cores from whoever else works: another third of the CPU.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
};

async function open(model: Model, cacheDir: string | null): Promise<InferenceSession> {
  const onnx = await readOnnxModel(model, cacheDir);
  try {
    return await InferenceSession.create(onnx, sessionOptions);
  } catch (cause) {
    throw modelUnusable(model.weights, 'cannot be loaded', cause);
  }
}
