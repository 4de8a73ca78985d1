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

async function open(model: Model): Promise<InferenceSession> {
  const bytes = await readModelFile(model.weights);
  try {
    return await InferenceSession.create(bytes, {
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
      // Both keep what a look took at most for good, for no time that shows: MI-GAN's arena 400 to 800 MB, MODNet's
      // 120 MB, and a pattern a second block of memory for every size of input.
      enableCpuMemArena: false,
      enableMemPattern: false,
    });
  } catch (cause) {
    throw modelUnusable(model.weights, 'cannot be loaded', cause);
  }
}
