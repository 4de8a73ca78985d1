import { freemem, totalmem } from 'node:os';
import { SdEmbeddings, SdFlags, SdMemory, SdNamed, SdScripts } from '@guise/contract/other-clients/sdapi.ts';
import { z } from 'zod';

/** What clients read at their start, and what does not depend on the caller. */
interface SdList {
  path: string;
  operation: string;
  summary: string;
  shape: z.ZodType;
  read(): unknown;
}

const list = (operation: string, what: string, path: string, entries: readonly object[] = []): SdList => ({
  path,
  operation,
  summary:
    entries.length > 0 ? `One ${what}: engines choose by themselves` : `No ${what}: filters stand for them`,
  shape: z.array(SdNamed),
  read: () => entries,
});

export const sdLists: readonly SdList[] = [
  list('listSdSchedulers', 'scheduler', 'schedulers', [
    { name: 'automatic', label: 'Automatic', aliases: null, default_rho: -1, need_inner_model: false },
  ]),
  list('listSdUpscalers', 'upscaler', 'upscalers', [
    { name: 'None', model_name: null, model_path: null, model_url: null, scale: 4 },
  ]),
  list('listSdLatentUpscaleModes', 'latent upscaler', 'latent-upscale-modes'),
  list('listSdVaes', 'VAE', 'sd-vae'),
  list('listSdLoras', 'LoRA', 'loras'),
  list('listSdHypernetworks', 'hypernetwork', 'hypernetworks'),
  list('listSdFaceRestorers', 'face restorer', 'face-restorers'),
  list('listSdRealEsrganModels', 'Real-ESRGAN model', 'realesrgan-models'),
  list('listSdScriptInfos', 'script', 'script-info'),
  {
    path: 'scripts',
    operation: 'readSdScripts',
    summary: 'No scripts',
    shape: SdScripts,
    read: () => ({ txt2img: [], img2img: [] }),
  },
  {
    path: 'embeddings',
    operation: 'readSdEmbeddings',
    summary: 'No embeddings',
    shape: SdEmbeddings,
    read: () => ({ loaded: {}, skipped: {} }),
  },
  {
    path: 'cmd-flags',
    operation: 'readSdFlags',
    summary: 'Options that the web UI would have been started with',
    shape: SdFlags,
    read: () => ({ api: true, nowebui: true }),
  },
  {
    path: 'memory',
    operation: 'readSdMemory',
    summary: 'The memory of the machine',
    shape: SdMemory,
    read: readMemory,
  },
];

function readMemory() {
  const [free, total] = [freemem(), totalmem()];
  return { ram: { free, used: total - free, total }, cuda: { error: 'unavailable' } };
}
