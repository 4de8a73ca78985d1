import { families } from '@guise/contract/families/families.ts';
import type { EnginesPlan, RoutePlan } from '../../src/engines/engines-file.ts';
import type { FalPlan } from '../../src/engines/fal/fal-kind.ts';
import type { OpenaiImagesPlan } from '../../src/engines/openai-images/openai-images-kind.ts';
import type { FalServer } from './fal-server.ts';
import type { OpenaiImagesServer } from './openai-images-server.ts';

const everything = families.map(({ name }) => name);

/** All families to a fake of OpenAI's images interface. */
export function openaiImagesPlan(
  { url, key }: Pick<OpenaiImagesServer, 'url' | 'key'>,
  settings: Partial<OpenaiImagesPlan> = {},
  route: Partial<RoutePlan> = {},
): EnginesPlan {
  const engine: OpenaiImagesPlan = {
    type: 'openai_images',
    url,
    key,
    model: 'gpt-image-2',
    photos_leave: true,
    company: 'OpenAI',
    header: 'authorization',
    image_field: 'image[]',
    response_format: 'omit',
    size: 'any',
    most_photos: 16,
    extra: {},
    refused: 'fail',
    jobs: 4,
    ...settings,
  };
  return planOf(engine, route);
}

/** All families to a fake of fal's queue. */
export function falPlan(
  { url, key }: Pick<FalServer, 'url' | 'key'>,
  settings: Partial<FalPlan> = {},
  route: Partial<RoutePlan> = {},
): EnginesPlan {
  const engine: FalPlan = {
    type: 'fal',
    url,
    key,
    model: 'fal-ai/flux-2/klein/4b/edit',
    photos_leave: true,
    company: 'fal',
    photos: 'image_urls',
    most_photos: 4,
    size: 'image_size',
    seed: true,
    sync_mode: true,
    extra: { num_inference_steps: 4 },
    refused: 'fail',
    jobs: 4,
    private_results: true,
    polling: { firstMs: 10, longestMs: 30, troubleMs: 150 },
    ...settings,
  };
  return planOf(engine, route);
}

function planOf(engine: OpenaiImagesPlan | FalPlan, route: Partial<RoutePlan>): EnginesPlan {
  return {
    engines: { hosted: engine },
    routes: [{ families: everything, engine: 'hosted', workflows: [], ...route }],
    local: false,
  };
}
