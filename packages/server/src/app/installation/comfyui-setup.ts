import type { ComfyuiServer, ComfyuiSetup, NewEngine } from '@guise/contract/operator/engine-setup.ts';
import { askServers, fileForProposal } from '../../engines/comfyui/setup/ask-servers.ts';
import { cards } from '../../engines/comfyui/setup/cards.ts';
import { downloadScript } from '../../engines/comfyui/setup/download-script.ts';
import { chooseGetter, type Getter } from '../../engines/comfyui/setup/get-files.ts';
import {
  chooseCard,
  type FileToGet,
  proposeSetup,
  type ServerProposal,
  type SetupProposal,
  sumOfSizes,
} from '../../engines/comfyui/setup/propose-setup.ts';
import { inventorySentence, locatedSentence, packSentence } from '../../engines/comfyui/setup/setup-lines.ts';

/** What is proposed for the ComfyUI servers that an operator adds, and what the studio shows of it. */
export interface ComfyuiPlan {
  proposal: SetupProposal;
  shown: ComfyuiSetup;
  /** The engines file with them and nothing else, but for what `existing` says of them. */
  fileFor(existing: object): Record<string, unknown>;
}

/** Asks the servers. The engines file names their key by `variable`. */
export async function planComfyui(wanted: NewEngine, variable: string): Promise<ComfyuiPlan> {
  const access = wanted.key === '' ? {} : { token_from: variable };
  const urls = [wanted.url, ...wanted.more_urls];
  const servers = await askServers(
    urls.map((url) => ({ url, access })),
    () => wanted.key,
  );
  const card = chooseCard(servers, wanted.card_gb ?? undefined);
  const proposal = proposeSetup(servers, card ?? cards.at(-1)!, {
    limitedLicences: wanted.limited_licences,
    nonCommercial: wanted.non_commercial,
  });
  // What to download depends on the card: while nobody knows it, nothing is proposed.
  const known = card ? proposal : { ...proposal, servers: proposal.servers.map(withoutFiles) };
  return {
    proposal: known,
    shown: { ...shownProposal(known), card_gb: card?.vram_gb ?? null },
    fileFor: (existing) =>
      fileForProposal(
        known,
        {
          engine: wanted.name,
          fallback: wanted.fallback,
          gpuHourPrice: wanted.gpu_hour_price ?? undefined,
        },
        existing,
      ),
  };
}

const withoutFiles = (server: ServerProposal): ServerProposal => ({ ...server, toGet: [] });

function shownProposal({ servers, choice }: SetupProposal): Omit<ComfyuiSetup, 'card_gb'> {
  const files = new Map(servers.flatMap(({ toGet }) => toGet).map((file) => [file.file, file]));
  return {
    cards: cards.map(({ vram_gb }) => vram_gb),
    servers: servers.map(shownServer),
    workflows: choice.routes.flatMap(({ families, workflows }) =>
      workflows.map(({ name }) => ({ name, families })),
    ),
    ...downloadScriptFor([...files.values()]),
  };
}

const gigabytesOf = (files: readonly FileToGet[]) => Math.round(sumOfSizes(files) * 10) / 10;

export const downloadScriptFor = (files: readonly FileToGet[]) => ({
  script: files.length === 0 ? null : downloadScript(files),
  script_gigabytes: gigabytesOf(files),
});

const shownGetters = {
  'this machine': 'here',
  manager: 'manager',
  script: 'script',
} as const satisfies Record<Getter['by'], ComfyuiServer['download']>;

function shownServer(proposed: ServerProposal): ComfyuiServer {
  const { server, problem, located, toGet, packs, others } = proposed;
  const getter = chooseGetter(server, undefined);
  return {
    address: server.url,
    says: inventorySentence(server.inventory),
    problem,
    found: located.map(locatedSentence),
    lacks: [...others, ...packs.map(packSentence)],
    models: toGet.map(shownFile),
    gigabytes: gigabytesOf(toGet),
    download: shownGetters[getter.by],
    folder: getter.by === 'this machine' ? getter.folder : null,
  };
}

const shownFile = ({ file, folder, size, licence, commercial, gated, from, for: workflows }: FileToGet) => ({
  file,
  folder,
  size,
  licence,
  commercial,
  needs_account: gated,
  url: from,
  workflows,
});
