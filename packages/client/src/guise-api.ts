import type { Submitted } from '@guise/contract/jobs.ts';
import { accountApi } from './account-api.ts';
import { aliasesApi } from './aliases-api.ts';
import { catalogsApi } from './catalogs-api.ts';
import { type ChangeListener, followChanges, followWall } from './changes.ts';
import { customFiltersApi } from './custom-filters-api.ts';
import { boothApi, eventGuestsApi, eventsApi, galleriesApi, printersApi, wallsApi } from './events-api.ts';
import { filterDraftsApi, scenesApi } from './filter-drafts-api.ts';
import { jobsApi } from './jobs-api.ts';
import { keysApi } from './keys-api.ts';
import { operatorApi } from './operator-api.ts';
import { photoSetsApi } from './photo-sets-api.ts';
import { qaRunsApi } from './qa-runs-api.ts';
import { quickTestLinksApi } from './quick-test-links-api.ts';
import { type AnyFamily, type SubmitOptions, submitBody } from './runs/submit-body.ts';
import { serverApi } from './server-api.ts';
import { sessionsApi } from './sessions-api.ts';
import { Transport, type TransportOptions } from './transport.ts';
import { usageApi } from './usage-api.ts';
import { webhooksApi } from './webhooks-api.ts';

/** In a page that Guise serves, links are read relative to it. */
const pageAddress = () => (globalThis as { location?: { href: string } }).location?.href;

/** The whole interface but for waiting: what a page that is told of every change needs. */
export class GuiseApi {
  readonly transport: Transport;
  readonly account;
  readonly aliases;
  readonly booth;
  readonly catalogs;
  readonly customFilters;
  readonly eventGuests;
  readonly events;
  readonly filterDrafts;
  readonly galleries;
  readonly jobs;
  readonly keys;
  readonly operator;
  readonly photoSets;
  readonly printers;
  readonly qaRuns;
  readonly quickTestLinks;
  readonly scenes;
  readonly server;
  readonly sessions;
  readonly usage;
  readonly walls;
  readonly webhooks;

  constructor(options: TransportOptions) {
    this.transport = new Transport(options);
    this.account = accountApi(this.transport);
    this.aliases = aliasesApi(this.transport);
    this.booth = boothApi(this.transport);
    this.catalogs = catalogsApi(this.transport);
    this.customFilters = customFiltersApi(this.transport);
    this.eventGuests = eventGuestsApi(this.transport);
    this.events = eventsApi(this.transport);
    this.filterDrafts = filterDraftsApi(this.transport);
    this.galleries = galleriesApi(this.transport);
    this.jobs = jobsApi(this.transport);
    this.keys = keysApi(this.transport);
    this.operator = operatorApi(this.transport);
    this.photoSets = photoSetsApi(this.transport);
    this.printers = printersApi(this.transport);
    this.qaRuns = qaRunsApi(this.transport);
    this.quickTestLinks = quickTestLinksApi(this.transport);
    this.scenes = scenesApi(this.transport);
    this.server = serverApi(this.transport);
    this.sessions = sessionsApi(this.transport);
    this.usage = usageApi(this.transport);
    this.walls = wallsApi(this.transport);
    this.webhooks = webhooksApi(this.transport);
  }

  /** Submits a job whose body is as the interface names it; images are base64, data URIs or URLs. */
  submitBody(family: AnyFamily, body: object, options?: SubmitOptions): Promise<Submitted> {
    return submitBody(this.transport, family, body, options);
  }

  /** A file by a link of the server, such as a sample or a result. */
  async readFile(url: string, signal?: AbortSignal): Promise<Blob> {
    const { pathname, search } = new URL(url, this.transport.baseUrl || pageAddress());
    return (await this.transport.open(pathname + search, { signal })).blob();
  }

  /** Follows the changes of the account, after the one with `lastId` if it is given, until the returned function is called. */
  followChanges(listener: ChangeListener, lastId?: string): () => void {
    return followChanges(this.transport, listener, lastId);
  }

  /** Follows the pictures of a wall, by the token of its link, until the returned function is called. */
  followWall(token: string, listener: ChangeListener): () => void {
    return followWall(this.transport, token, listener);
  }
}
