import { convertModel } from '@guise/engine/models/convert/convert-model.ts';
import { writeCachedModel } from '@guise/engine/models/model-cache.ts';
import { models } from '@guise/engine/models/models.ts';

export interface ConvertedModel {
  title: string;
  seconds: number;
}

/** Converts the models ahead of time, so that the first start of the engine converts nothing. */
export async function convertModels(folder: string): Promise<ConvertedModel[]> {
  const converted: ConvertedModel[] = [];
  for (const model of models) {
    if (!model.conversion) continue;
    const started = performance.now();
    await writeCachedModel(folder, model.conversion.sha256, await convertModel(model, model.conversion));
    converted.push({ title: model.title, seconds: (performance.now() - started) / 1000 });
  }
  return converted;
}
