import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type {
  EngineDownload,
  EngineTest,
  EngineTrials,
  NewEngine,
} from '@guise/contract/operator/engine-setup.ts';
import type {
  BackupList,
  BackupPart,
  BackupUpload,
  Doctor,
  EngineChange,
  EngineList,
  ModelInfo,
  PackInfo,
  PublicServerReport,
  RestoreStarted,
  SettingChanges,
  SettingList,
  VersionInfo,
} from '@guise/contract/operator/operator.ts';
import type { Logger } from 'pino';
import type { Callers } from '../accounts/callers.ts';
import type { Logins } from '../accounts/log-in.ts';
import type { Admission } from '../admission/admission.ts';
import type { DefinitionChecks } from '../catalog/definitions.ts';
import type { Options } from '../catalog/filter-options.ts';
import type { CheckPrompt } from '../catalog/prompt-checks.ts';
import type { SuggestWords } from '../catalog/prompt-suggestions.ts';
import type { LedgerIds } from '../credits/ledger-ids.ts';
import type { PictureTaskParts } from '../events/picture-task-parts.ts';
import type { Thumbnails } from '../job-pages/thumbnails.ts';
import type { EndParts } from '../jobs/end.ts';
import type { HangUps } from '../jobs/hang-ups.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import type { SubmitParts } from '../jobs/submit.ts';
import type { TestDelivery } from '../jobs/webhooks/test-delivery.ts';
import type { WebhookSecrets } from '../jobs/webhooks/webhook-secrets.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Decoder } from '../media/decoder.ts';
import type { FetchUrl } from '../media/safe-fetch.ts';
import type { UploadStore } from '../media/upload-store.ts';
import type { FilterTests } from '../previews/filter-tests.ts';
import type { CallPrinter } from '../printing/ipp-client.ts';
import type { PhotoParts } from '../qa/photo-sets.ts';
import type { DiskSpace } from '../store/embedded/disk-space.ts';
import type { GuestTokens } from './access/guest-tokens.ts';
import type { LinkTokens } from './access/link-tokens.ts';
import type { Metrics } from './metrics.ts';
import type { PictureEncoder } from './other-clients/picture-encoder.ts';
import type { SignedLinks } from './signed-links.ts';
import type { WebFiles } from './web-files.ts';

/** What operators see and change of the installation itself. */
export interface Installation {
  check(): Promise<Doctor>;
  engines(): Promise<EngineList>;
  /** Asks an engine that is not saved. No photo is sent, and nothing is made. */
  testEngine(wanted: NewEngine): Promise<EngineTest>;
  /** Saves it where it answers; it gets jobs from the next start on. */
  addEngine(wanted: NewEngine): Promise<EngineList>;
  /** From the next start on. */
  removeEngine(name: string): Promise<void>;
  engineDownload(): EngineDownload;
  /** Begins to download what ComfyUI servers lack; where nothing here can do that, it is left for the script. */
  startEngineDownload(wanted: NewEngine): Promise<EngineDownload>;
  stopEngineDownload(): void;
  /** What the workflows of an engine made of a sample photo the last time. */
  engineTrials(name: string): Promise<EngineTrials>;
  startEngineTrials(name: string): Promise<EngineTrials>;
  openTrial(name: string, file: string): Promise<{ type: string; bytes: number; stream(): Readable }>;
  /** At once. */
  changeEngine(name: string, change: EngineChange): Promise<EngineList>;
  models(): Promise<ModelInfo[]>;
  packs(): Promise<PackInfo[]>;
  removePack(name: string): Promise<void>;
  /** Begins to fetch a model of the list that is not here. */
  fetchModel(name: string): Promise<ModelInfo[]>;
  version(): Promise<VersionInfo>;
  settings(): SettingList;
  changeSettings(changes: SettingChanges): Promise<SettingList>;
  /** Stops the server and starts it again. */
  restart(): void;
  /** Ends what runs in the background, and waits for that. */
  stop(): Promise<void>;
}

/** Backups of this installation, on this machine. */
export interface Backups {
  list(): Promise<BackupList>;
  /** Begins one, unless one is being made. */
  start(): Promise<BackupList>;
  open(name: string): Promise<{ bytes: number; stream(): Readable }>;
  /** Puts it in place of this installation, which stops and starts again. Whoever asks, by this email, gets a way in. */
  restore(name: string, email: string): Promise<RestoreStarted>;
  /** Takes a part of one that is uploaded. */
  receive(name: string, part: BackupPart & { content: Buffer }): Promise<BackupUpload>;
  remove(name: string): Promise<void>;
}

/** Calls of a service that works for this installation, which it signs. */
export interface SignedWebhooks {
  /** Throws where these headers cannot be of one, whatever the body is. */
  check(headers: IncomingHttpHeaders): void;
  /** Acts on one, and rejects where it is not signed. */
  receive(headers: IncomingHttpHeaders, bodySha256: string): Promise<void>;
}

/** What the endpoints stand on. */
export interface HttpParts extends SubmitParts, EndParts, PictureTaskParts, PhotoParts {
  /** Where callers take turns for what they share. */
  admission: Admission;
  callers: Callers;
  logins: Logins;
  decoder: Decoder;
  fetchUrl: FetchUrl;
  installation: Installation;
  backups: Backups;
  installationId: string;
  checks: DefinitionChecks;
  /** What scene filters may name. */
  filterOptions(): Promise<Options>;
  suggestWords: SuggestWords;
  checkPrompt: CheckPrompt;
  tests: FilterTests;
  /** Runs an account may start in a minute; 0 is no limit. */
  runsPerMinute: number;
  /** Tests of filters an account may start in a minute; 0 is no limit. */
  testsPerMinute: number;
  /** Custom filters an account may have; 0 is no limit. */
  maxFilters: number;
  uploadStore: UploadStore;
  callPrinter: CallPrinter;
  /** Null where the installation sends no mail. */
  mailer: Mailer | null;
  hasMail: boolean;
  thumbnails: Thumbnails;
  pictureEncoder: PictureEncoder;
  waits: JobWaits;
  /** How long a status call of a family that waits is held where the caller does not say; 0 for not at all. */
  statusWaitMs: number;
  hangUps: HangUps;
  links: SignedLinks;
  ledgerIds: LedgerIds;
  guestTokens: GuestTokens;
  linkTokens: LinkTokens;
  webhookSecrets: WebhookSecrets;
  testDelivery: TestDelivery;
  falWebhooks: SignedWebhooks;
  metrics: Metrics;
  /** Empty where `/metrics` is for this machine alone. */
  metricsToken: string;
  publicUrl: string;
  /** Addresses of proxies whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** False while the server starts and from the moment it begins to stop. */
  ready(): boolean;
  /** The disk that photos are written to. */
  disk: DiskSpace;
  /** What can be made, by this process or its workers, for `/ready`. */
  engines(): Promise<{ name: string; families: string[]; servers?: PublicServerReport[] }[]>;
  /** Families whose engines are all away. */
  unavailableFamilies(): Promise<string[]>;
  studioFiles: WebFiles;
  boothFiles: WebFiles;
  /** Where pictures and videos may be beside this server: its public address, and the bucket. */
  fileOrigins: readonly string[];
  log: Logger;
}
