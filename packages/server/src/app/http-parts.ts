import { familyOf } from '@guise/contract/families/families.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { createFilterOptions } from '../catalog/filter-options.ts';
import { ownFiltersFile } from '../catalog/own-catalog.ts';
import { installedPacks } from '../catalog/packs/installed-packs.ts';
import { createPromptCheck } from '../catalog/prompt-checks.ts';
import { createPromptSuggestions } from '../catalog/prompt-suggestions.ts';
import type { Config } from '../config.ts';
import { createLedgerIds } from '../credits/ledger-ids.ts';
import type { Engine } from '../engines/engine.ts';
import { serves } from '../engines/routing.ts';
import { createGuestTokens } from '../http/access/guest-tokens.ts';
import { createLinkTokens } from '../http/access/link-tokens.ts';
import type { HttpParts } from '../http/parts.ts';
import { signedLinks } from '../http/signed-links.ts';
import { openWebFiles } from '../http/web-files.ts';
import { createBacklog } from '../jobs/backlog.ts';
import { createFailedTime } from '../jobs/failed-time.ts';
import { readReadyEngines, unavailableFamilies } from '../jobs/server-states.ts';
import type { PostWebhook } from '../jobs/webhooks/send-delivery.ts';
import { isMadeLocally, liveEngines, readWorkers } from '../jobs/worker-registry.ts';
import { videoKind } from '../media/file-kind.ts';
import { imageLimits } from '../media/inspect-image.ts';
import { createNameLookup } from '../media/name-lookup.ts';
import { checkUrl } from '../media/safe-connect.ts';
import { safeFetcher } from '../media/safe-fetch.ts';
import { safePoster } from '../media/safe-post.ts';
import { type CallPrinter, createPrinterCalls } from '../printing/ipp-client.ts';
import type { Db } from '../store/db.ts';
import { boothApp, studioApp } from './build-web-apps.ts';
import { definitionChecks } from './definition-checks.ts';
import type { ServiceNode } from './node.ts';

/** What calls URLs of callers, each within its bounds. */
export function reachOutside({ config: { allowPrivateUrls }, admission }: ServiceNode): Pick<
  HttpParts,
  'fetchUrl' | 'fetchVideo' | 'checkUrl' | 'callPrinter'
> & {
  post: PostWebhook;
  /** For the queue of prints, whose accounts have had their turns. */
  sendToPrinter: CallPrinter;
} {
  const resolve = createNameLookup({ gate: admission.name_lookups });
  const bounds = { timeoutMs: 10_000, allowPrivate: allowPrivateUrls, resolve };
  return {
    fetchUrl: safeFetcher({ ...bounds, maxBytes: imageLimits.bytes, gate: admission.url_photos }),
    fetchVideo: safeFetcher({
      ...bounds,
      timeoutMs: 30_000,
      maxBytes: videoKind.maxBytes,
      kind: videoKind,
      gate: admission.url_photos,
    }),
    checkUrl: (input) => checkUrl(input, allowPrivateUrls),
    post: safePoster(bounds),
    callPrinter: createPrinterCalls({ resolve, allowPrivateUrls, gate: admission.printers }),
    sendToPrinter: createPrinterCalls({ resolve, allowPrivateUrls }),
  };
}

/** The catalog with the installed packs, and what checks and describes filters. */
export function openFilters(
  { config, db, decoder, scratchDir }: ServiceNode,
  engines: readonly Engine[],
  fetchUrl: HttpParts['fetchUrl'],
): Pick<HttpParts, 'catalog' | 'filterOptions' | 'suggestWords' | 'checkPrompt' | 'checks'> {
  const packs = installedPacks(config);
  const catalog = loadCatalog(ownFiltersFile, packs);
  const filterOptions = createFilterOptions(packs, catalog);
  return {
    catalog,
    filterOptions,
    suggestWords: createPromptSuggestions(filterOptions),
    checkPrompt: createPromptCheck(filterOptions, ({ family, model }) =>
      isMadeLocally(db, {
        family,
        params: { model },
        filter: null,
        filterRef: null,
        images: familyOf(family).images.map(() => ''),
      }),
    ),
    checks: definitionChecks({
      db,
      engines,
      liveEngines: () => liveEngines(db),
      packs,
      fetchUrl,
      decoder,
      scratchDir,
    }),
  };
}

/** What an account may have waiting, in a minute or in all. What callers share at once is in the table of admission. */
export function accountLimits({
  config,
  db,
}: ServiceNode): Pick<
  HttpParts,
  'backlog' | 'failedTime' | 'runsPerMinute' | 'testsPerMinute' | 'maxFilters'
> {
  return {
    backlog: createBacklog(db, {
      queued: config.maxQueued,
      queuedOfAccount: Math.max(1, Math.floor(config.accountQueueShare * config.maxQueued)),
    }),
    failedTime: createFailedTime(db, config.accountFailedSeconds),
    runsPerMinute: config.runsPerMinute,
    testsPerMinute: config.testsPerMinute,
    maxFilters: config.maxFilters,
  };
}

/** Links and tokens that are valid wherever the same secret is. */
export function signedWith(
  secret: string,
): Pick<HttpParts, 'links' | 'ledgerIds' | 'guestTokens' | 'linkTokens'> {
  return {
    links: signedLinks(secret),
    ledgerIds: createLedgerIds(secret),
    guestTokens: createGuestTokens(secret),
    linkTokens: createLinkTokens(secret),
  };
}

/** What the workers say of their engines. */
export function engineStates(db: Db): Pick<HttpParts, 'engines' | 'runsWorkflows' | 'unavailableFamilies'> {
  return {
    engines: () => readReadyEngines(db),
    runsWorkflows: async (family) => serves(await liveEngines(db), family, 'workflow'),
    unavailableFamilies: async () => unavailableFamilies(await readWorkers(db)),
  };
}

/** The web applications, and where the files are that they show. */
export function webFiles(config: Config): Pick<HttpParts, 'studioFiles' | 'boothFiles' | 'fileOrigins'> {
  return {
    studioFiles: openWebFiles(studioApp.filesDir),
    boothFiles: openWebFiles(boothApp.filesDir),
    fileOrigins: fileOriginsOf(config),
  };
}

/** The public address of this server, and the host of the bucket where callers reach it. */
function fileOriginsOf({ publicUrl, s3 }: Config): string[] {
  const own = publicUrl ? [new URL(publicUrl).origin] : [];
  if (!s3?.publicEndpoint) return own;
  const { protocol, host } = new URL(s3.publicEndpoint);
  return [...own, `${protocol}//${s3.pathStyle ? host : `${s3.bucket}.${host}`}`];
}
