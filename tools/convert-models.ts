import { convertModel } from '@guise/engine/models/convert/convert-model.ts';
import { writeCachedModel } from '@guise/engine/models/model-cache.ts';
import { models } from '@guise/engine/models/models.ts';
import { readConfig } from '@guise/server/config.ts';
import { modelCacheDir } from '@guise/server/engines/local/local-engine.ts';

/**
 * Converts the models ahead of time, so that the first start of the engine converts nothing.
 *
 *   npm run models [-- folder]
 *
 * Without a folder, they are kept where a server with this environment looks for them.
 */

const folder = process.argv[2] ?? modelCacheDir(readConfig(process.env));
for (const model of models) {
  if (!model.conversion) continue;
  const started = performance.now();
  await writeCachedModel(folder, model.conversion.sha256, await convertModel(model, model.conversion));
  console.log(`${model.title}: converted in ${(performance.now() - started).toFixed(0)} ms`);
}
console.log(folder);
