import type { NewTestMail } from '@guise/contract/events/mails.ts';
import type {
  EngineDownload,
  EngineTest,
  EngineTrials,
  NewEngineInput,
} from '@guise/contract/operator/engine-setup.ts';
import type {
  Account,
  AccountList,
  AdmissionList,
  BackupList,
  BackupUpload,
  CreatedAccount,
  Doctor,
  EngineChange,
  EngineList,
  GuestAddress,
  GuestAddressChange,
  ModelList,
  NewAccount,
  PackList,
  RestoreStarted,
  SettingChanges,
  SettingList,
  VersionInfo,
  WorkerList,
} from '@guise/contract/operator/operator.ts';
import { GuiseError } from './guise-error.ts';
import type { Transport } from './transport.ts';

/** Small enough to be sent in time on a slow network. */
const partBytes = 4 * 1024 * 1024;

/** The installation, for whoever runs it: everything here needs the scope `operator`. */
export const operatorApi = (transport: Transport) => ({
  accounts: (cursor?: string, signal?: AbortSignal) =>
    transport.request<AccountList>('GET', '/v1/accounts', { query: { cursor, limit: 100 }, signal }),
  /** Its key, its token and its sign-in link are in this answer only. */
  createAccount: (body: Pick<NewAccount, 'email'> & Partial<NewAccount>, signal?: AbortSignal) =>
    transport.request<CreatedAccount>('POST', '/v1/accounts', { body, signal }),
  grantCredits: (id: string, amount: number, signal?: AbortSignal) =>
    transport.request<Account>('POST', `/v1/accounts/${id}/credits`, { body: { amount }, signal }),
  workers: (signal?: AbortSignal) => transport.request<WorkerList>('GET', '/v1/workers', { signal }),
  /** What callers share, who has how much of it, and who waits. */
  admission: (signal?: AbortSignal) => transport.request<AdmissionList>('GET', '/v1/admission', { signal }),
  engines: (signal?: AbortSignal) => transport.request<EngineList>('GET', '/v1/engines', { signal }),
  /** Whether an engine that is not saved answers, and what it would make. */
  testEngine: (body: NewEngineInput, signal?: AbortSignal) =>
    transport.request<EngineTest>('POST', '/v1/engines/test', { body, signal }),
  addEngine: (body: NewEngineInput, signal?: AbortSignal) =>
    transport.request<EngineList>('POST', '/v1/engines', { body, signal }),
  /** Pauses or resumes it at once. */
  changeEngine: (name: string, body: EngineChange, signal?: AbortSignal) =>
    transport.request<EngineList>('PATCH', `/v1/engines/${name}`, { body, signal }),
  removeEngine: (name: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/engines/${name}`, { signal }),
  /** Begins to download the models that ComfyUI servers lack. */
  startEngineDownload: (body: NewEngineInput, signal?: AbortSignal) =>
    transport.request<EngineDownload>('POST', '/v1/engine_downloads', { body, signal }),
  engineDownload: (signal?: AbortSignal) =>
    transport.request<EngineDownload>('GET', '/v1/engine_downloads', { signal }),
  /** What came so far is kept. */
  stopEngineDownload: (signal?: AbortSignal) =>
    transport.request<void>('DELETE', '/v1/engine_downloads', { signal }),
  /** Begins to try every workflow of an engine on a sample photo. */
  startEngineTrials: (name: string, signal?: AbortSignal) =>
    transport.request<EngineTrials>('POST', `/v1/engines/${name}/trials`, { signal }),
  engineTrials: (name: string, signal?: AbortSignal) =>
    transport.request<EngineTrials>('GET', `/v1/engines/${name}/trials`, { signal }),
  packs: (signal?: AbortSignal) => transport.request<PackList>('GET', '/v1/packs', { signal }),
  removePack: (name: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/packs/${encodeURIComponent(name)}`, { signal }),
  backups: (signal?: AbortSignal) => transport.request<BackupList>('GET', '/v1/backups', { signal }),
  /** Begins one; the list says how far it is. */
  startBackup: (signal?: AbortSignal) => transport.request<BackupList>('POST', '/v1/backups', { signal }),
  /** The tar archive, to be streamed: it may be large. */
  openBackup: (name: string, signal?: AbortSignal) =>
    transport.open(`/v1/backups/${encodeURIComponent(name)}`, { signal }),
  /** Uploads an archive in parts; one that was cut off goes on where it was when it is called again. */
  async uploadBackup(
    name: string,
    archive: Blob,
    { onProgress, signal }: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
  ): Promise<void> {
    const path = `/v1/backups/${encodeURIComponent(name)}`;
    const send = async (offset: number, end: number) => {
      const query = { offset, bytes: archive.size };
      const part = archive.slice(offset, end);
      const answer = await transport.request<BackupUpload>('PUT', path, { query, body: part, signal });
      onProgress?.(answer.received / archive.size);
      return answer;
    };
    // An empty part is answered with how much is there.
    let answer = await send(0, 0);
    while (!answer.complete) {
      const offset = answer.received;
      answer = await send(offset, offset + partBytes);
      if (!answer.complete && answer.received === offset)
        throw new GuiseError(`The server keeps ${offset} of ${archive.size} bytes and takes no more.`, {
          code: 'UPLOAD_STOPPED',
        });
    }
  },
  /** The server stops, puts it in place of its installation and starts again; the answer has a way in then. */
  restoreBackup: (name: string, signal?: AbortSignal) =>
    transport.request<RestoreStarted>('POST', `/v1/backups/${encodeURIComponent(name)}/restore`, { signal }),
  removeBackup: (name: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/backups/${encodeURIComponent(name)}`, { signal }),
  models: (signal?: AbortSignal) => transport.request<ModelList>('GET', '/v1/models', { signal }),
  /** Begins to fetch one by its `fetch_name`; the list says how far it is. */
  fetchModel: (name: string, signal?: AbortSignal) =>
    transport.request<ModelList>('POST', `/v1/models/${encodeURIComponent(name)}/fetch`, { signal }),
  /** Runs the checks, which takes seconds. */
  doctor: (signal?: AbortSignal) => transport.request<Doctor>('GET', '/v1/doctor', { signal }),
  /** Where links for guests and clients lead; this one needs no special scope. */
  guestAddress: (signal?: AbortSignal) =>
    transport.request<GuestAddress>('GET', '/v1/guest_address', { signal }),
  setGuestAddress: (
    body: Pick<GuestAddressChange, 'url'> & Partial<GuestAddressChange>,
    signal?: AbortSignal,
  ) => transport.request<GuestAddress>('PUT', '/v1/guest_address', { body, signal }),
  /** Tries the mail server of the installation. */
  sendTestMail: (body: NewTestMail, signal?: AbortSignal) =>
    transport.request<void>('POST', '/v1/mail/test', { body, signal }),
  /** This server's version, and whether a newer one exists. */
  version: (signal?: AbortSignal) => transport.request<VersionInfo>('GET', '/v1/version', { signal }),
  settings: (signal?: AbortSignal) => transport.request<SettingList>('GET', '/v1/settings', { signal }),
  /** For the next start; null for the default. */
  changeSettings: (settings: SettingChanges['settings'], signal?: AbortSignal) =>
    transport.request<SettingList>('PATCH', '/v1/settings', { body: { settings }, signal }),
  /** The server stops and starts again. */
  restart: (signal?: AbortSignal) => transport.request<void>('POST', '/v1/restart', { signal }),
});
