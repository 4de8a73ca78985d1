import { z } from 'zod';
import { Text } from '../texts.ts';

/** Engines that operators add to the installation, and what it takes until a ComfyUI server makes pictures. */

/** What an engine that is added makes: pictures of filters, pictures of words, videos. A ComfyUI server tells it itself. */
export const EngineUse = z.enum(['filters', 'prompts', 'videos']).meta({ id: 'EngineUse' });

const ServerUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

export const NewEngine = z
  .object({
    name: Text.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a name such as studio-gpus').max(40),
    type: z.enum(['comfyui', 'runpod', 'guise', 'openai_images', 'fal']),
    url: ServerUrl,
    more_urls: z
      .array(ServerUrl)
      .max(15)
      .default([])
      .meta({ description: 'For `comfyui`: further servers, with the same token' }),
    key: Text.trim()
      .max(4000)
      .default('')
      .meta({ description: 'A key or token, where it needs one. It is stored and never shown' }),
    model: Text.trim().max(200).default('').meta({ description: 'For `openai_images` and `fal`' }),
    photos_leave: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether photos of guests may go to the company of a hosted service' }),
    uses: z.array(EngineUse).default([]),
    fallback: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether this machine makes what the engine could not' }),
    card_gb: z.int().min(1).max(1000).nullable().default(null).meta({
      description:
        'For `comfyui` and `runpod`: memory of the graphics card; null for what the servers of `comfyui` say, and for 24 GB',
    }),
    limited_licences: z.boolean().default(false).meta({
      description:
        'For `comfyui`: whether models may be used that are free only below a revenue or in some places',
    }),
    non_commercial: z
      .boolean()
      .default(false)
      .meta({ description: 'For `comfyui`: whether models may be used that are not for commercial use' }),
    gpu_hour_price: z
      .number()
      .min(0)
      .max(1000)
      .nullable()
      .default(null)
      .meta({ description: 'For `comfyui`: what an hour of a server’s GPU costs, in US dollars' }),
    replace: z.boolean().default(false).meta({
      description:
        'Whether it takes the place of the engine of this name that was added here; an empty key keeps that one’s',
    }),
  })
  .meta({ id: 'NewEngine' });
export type NewEngine = z.infer<typeof NewEngine>;
export type NewEngineInput = z.input<typeof NewEngine>;

/**
 * Whether a licence allows commercial use: `threshold` below a revenue, `region` not everywhere, `ask` where that is not
 * clear.
 */
export const CommercialUse = z.enum(['yes', 'threshold', 'region', 'ask', 'no']);
export type CommercialUse = z.infer<typeof CommercialUse>;

/** A file that a ComfyUI server lacks for the set of its graphics card. */
export const LackingModel = z
  .object({
    file: z.string(),
    folder: z.string(),
    size: z.string().meta({ description: 'Such as `14.3 GB`' }),
    licence: z.string(),
    commercial: CommercialUse.meta({
      description:
        'Commercial use: `threshold` below a revenue, `region` not everywhere, `ask` where unclear',
    }),
    needs_account: z.boolean().meta({ description: 'Only for accounts that accepted its licence' }),
    url: z.string(),
    workflows: z.array(z.string()).meta({ description: 'What needs it' }),
  })
  .meta({ id: 'LackingModel' });
export type LackingModel = z.infer<typeof LackingModel>;

export const ComfyuiServer = z
  .object({
    address: z.string(),
    says: z.string().meta({ description: 'Its version, its GPU and how many nodes it has' }),
    problem: z.string().nullable().meta({ description: 'Why it cannot be used at all' }),
    found: z.array(z.string()).meta({ description: 'Files that it has in another place, form or name' }),
    lacks: z.array(z.string()).meta({ description: 'What no download of models helps against' }),
    models: z.array(LackingModel),
    gigabytes: z.number().meta({ description: 'About how large `models` are together' }),
    download: z.enum(['here', 'manager', 'script']).meta({
      description:
        '`here`: its folder is on this machine; `manager`: its ComfyUI-Manager downloads; `script`: neither',
    }),
    folder: z.string().nullable().meta({ description: 'The folder for models, where it is on this machine' }),
  })
  .meta({ id: 'ComfyuiServer' });
export type ComfyuiServer = z.infer<typeof ComfyuiServer>;

/** What is proposed for ComfyUI servers. */
export const ComfyuiSetup = z
  .object({
    card_gb: z.int().nullable().meta({
      description:
        'The graphics card whose set is proposed; null where no server says how much memory it has',
    }),
    cards: z.array(z.int()).meta({ description: 'Those that there are sets for' }),
    servers: z.array(ComfyuiServer),
    workflows: z
      .array(z.object({ name: z.string(), families: z.array(z.string()) }))
      .meta({ description: 'What can be made now, and with which workflow' }),
    script: z.string().nullable().meta({
      description:
        'A shell script that downloads all `models`, or the whole set of the card for `runpod`, to be run in the folder `models` of ComfyUI',
    }),
    script_gigabytes: z.number().meta({ description: 'About how large the files of `script` are together' }),
  })
  .meta({ id: 'ComfyuiSetup' });
export type ComfyuiSetup = z.infer<typeof ComfyuiSetup>;

/** What an engine says before it is saved. */
export const EngineTest = z
  .object({
    ok: z.boolean(),
    says: z.string(),
    missing: z.array(z.string()),
    families: z.array(z.string()).meta({ description: 'What it would make' }),
    setup: ComfyuiSetup.nullable().meta({ description: 'Of ComfyUI servers that answer, and of `runpod`' }),
  })
  .meta({ id: 'EngineTest' });
export type EngineTest = z.infer<typeof EngineTest>;

export const EngineDownload = z
  .object({
    running: z
      .object({
        engine: z.string(),
        file: z.string(),
        number: z.int().min(1).meta({ description: 'Which of the files it is' }),
        files: z.int().min(1),
        done: z.number().min(0),
        total: z.number().min(0).meta({ description: 'Bytes of this file; 0 while nobody knows' }),
      })
      .nullable(),
    last: z
      .object({
        engine: z.string(),
        left: z
          .array(z.string())
          .meta({ description: 'Files that could not be got from here, and are for the script' }),
        error: z.string().nullable().meta({ description: 'Why it ended before it was done' }),
      })
      .nullable()
      .meta({ description: 'What came of the one before' }),
  })
  .meta({ id: 'EngineDownload' });
export type EngineDownload = z.infer<typeof EngineDownload>;

/** One workflow of an engine on a sample photo. */
export const EngineTrial = z
  .object({
    workflow: z.string(),
    family: z.string(),
    seconds: z.number(),
    gpu_seconds: z.number().nullable().meta({ description: 'Seconds that the server was at work' }),
    cost_usd: z.number().nullable(),
    url: z.string().nullable().meta({ description: 'The picture or video; null where it failed' }),
    error: z.string().nullable(),
    ignored: z.array(z.string()).meta({ description: 'What it did not do, as sentences' }),
  })
  .meta({ id: 'EngineTrial' });
export type EngineTrial = z.infer<typeof EngineTrial>;

export const EngineTrials = z
  .object({
    running: z
      .object({ workflow: z.string(), share: z.number().min(0).max(1) })
      .nullable()
      .meta({ description: 'The workflow that runs now, and how far it is' }),
    trials: z.array(EngineTrial),
    workflows: z.int().min(0).meta({ description: 'How many there are' }),
    error: z.string().nullable().meta({ description: 'Why the trials ended before they were done' }),
    made_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EngineTrials' });
export type EngineTrials = z.infer<typeof EngineTrials>;
