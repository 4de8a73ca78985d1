import { Page } from '@guise/contract/jobs.ts';
import {
  Account,
  AccountList,
  AdmissionList,
  BackupList,
  BackupPart,
  BackupUpload,
  CreatedAccount,
  CreditGrant,
  Doctor,
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
import { toManageOthers } from '../../accounts/authority.ts';
import { grantTo, openAccount, readAccount, readAccountPage } from '../../accounts/operator-accounts.ts';
import { signInUrl } from '../../accounts/sign-in-links.ts';
import { createOnce } from '../../jobs/create-once.ts';
import { readWorkerList } from '../../jobs/worker-registry.ts';
import { guestBaseUrlOf, readGuestAddress, setGuestAddress } from '../access/guest-address.ts';
import { callerOf, idOf } from '../request.ts';
import { anyAccountScope, json, none, ok, type Route, route } from '../route.ts';
import { readAdmission } from './read-admission.ts';
import { idempotencyOf } from './submit-run.ts';

const tag = 'Operator';
const scopes = ['operator'] as const;

/** Received within the time that a body has on a slow network, and held whole. */
const backupPartBytes = 8 * 1024 * 1024;

/** Short lists come in one page. */
const next_cursor = null;

export const operatorRoutes: Route[] = [
  route({
    ...none,
    method: 'GET',
    path: '/v1/accounts',
    operation: 'listAccounts',
    scopes,
    tag,
    summary: 'All accounts, newest first',
    query: Page,
    success: ok(AccountList),
    handle: (parts, request) => readAccountPage(parts.db, request.query),
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/accounts',
    operation: 'createAccount',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Make an account; its first key, its token and a sign-in link are shown once',
    body: NewAccount,
    success: { status: 201, shape: CreatedAccount },
    handle: async (parts, request, reply) => {
      const { link, ...account } = await openAccount(parts, request.body);
      reply.header('cache-control', 'no-store');
      return { ...account, sign_in_url: signInUrl(await guestBaseUrlOf(parts, request), link) };
    },
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/accounts/{id}/credits',
    operation: 'grantCredits',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Give credits to an account',
    body: CreditGrant,
    success: { status: 201, shape: Account },
    handle: (parts, request) => {
      const given = { id: idOf(request), amount: request.body.amount };
      return createOnce(parts.db, {
        accountId: callerOf(request).id,
        idempotency: idempotencyOf(request),
        create: (keepKey) => grantTo(parts.db, given, keepKey),
        find: (id) => readAccount(parts.db, id),
      });
    },
  }),
  {
    ...none,
    method: 'GET',
    path: '/v1/workers',
    operation: 'listWorkers',
    scopes,
    tag,
    summary: 'Workers that are alive, and what they make',
    success: ok(WorkerList),
    handle: async (parts) => ({ workers: await readWorkerList(parts.db), next_cursor }),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/admission',
    operation: 'listAdmission',
    scopes,
    tag,
    summary: 'What callers share in this process: who has how much of it, and who waits',
    success: ok(AdmissionList),
    handle: readAdmission,
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/doctor',
    operation: 'checkInstallation',
    scopes,
    tag,
    summary: 'Check this installation and say what is wrong; takes seconds',
    success: ok(Doctor),
    handle: (parts) => parts.installation.check(),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/version',
    operation: 'readVersion',
    scopes,
    tag,
    summary: 'The version of this server, and whether a newer one exists where it may ask',
    success: ok(VersionInfo),
    handle: (parts) => parts.installation.version(),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/settings',
    operation: 'listSettings',
    scopes,
    tag,
    summary: 'Settings as they are, without secrets',
    success: ok(SettingList),
    handle: async (parts) => parts.installation.settings(),
  },
  route({
    ...json,
    method: 'PATCH',
    path: '/v1/settings',
    operation: 'changeSettings',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Change settings for the next start; what the environment says decides over it',
    body: SettingChanges,
    success: ok(SettingList),
    handle: (parts, request) => parts.installation.changeSettings(request.body),
  }),
  {
    ...none,
    method: 'POST',
    path: '/v1/restart',
    operation: 'restartServer',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Stop the server and start it again; jobs that run are given back and made after it',
    success: { status: 202 },
    handle: async (parts) => parts.installation.restart(),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/guest_address',
    operation: 'readGuestAddress',
    scopes: [...anyAccountScope, 'operator'],
    tag,
    summary: 'Where links for guests and clients lead',
    success: ok(GuestAddress),
    handle: readGuestAddress,
  },
  route({
    ...json,
    method: 'PUT',
    path: '/v1/guest_address',
    operation: 'changeGuestAddress',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Set where links for guests and clients lead, unless `GUISE_PUBLIC_URL` says it',
    body: GuestAddressChange,
    success: ok(GuestAddress),
    handle: (parts, request) => setGuestAddress(parts, request, request.body),
  }),
  {
    ...none,
    method: 'GET',
    path: '/v1/packs',
    operation: 'listPacks',
    scopes,
    tag,
    summary: 'Packs that are installed on this machine',
    success: ok(PackList),
    handle: async (parts) => ({ packs: await parts.installation.packs(), next_cursor }),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/packs/{name}',
    operation: 'removePack',
    scopes,
    tag,
    summary: 'Remove a pack from this machine; a running server drops it at a restart',
    success: { status: 204 },
    handle: (parts, request) => parts.installation.removePack(request.params.name ?? ''),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/backups',
    operation: 'listBackups',
    scopes,
    tag,
    summary: 'Backups of this installation, and how far the one is that is being made',
    success: ok(BackupList),
    handle: (parts) => parts.backups.list(),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/backups',
    operation: 'createBackup',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Begin a backup; the list says how far it is',
    success: { status: 202, shape: BackupList },
    handle: (parts) => parts.backups.start(),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/backups/{name}',
    operation: 'downloadBackup',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'A backup as a tar archive',
    success: { status: 200 },
    handle: async (parts, request, reply) => {
      const name = request.params.name ?? '';
      const { bytes, stream } = await parts.backups.open(name);
      reply.headers({
        'content-type': 'application/x-tar',
        'content-length': bytes,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      });
      return request.method === 'HEAD' ? null : stream();
    },
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/backups/{name}/restore',
    operation: 'restoreBackup',
    scopes,
    authority: toManageOthers,
    tag,
    summary:
      'Put a backup in place of this installation, which is set aside; the server stops and starts again',
    success: { status: 202, shape: RestoreStarted },
    handle: async (parts, request, reply) => {
      reply.header('cache-control', 'no-store');
      return parts.backups.restore(request.params.name ?? '', callerOf(request).email);
    },
  },
  route({
    bodyKind: 'bytes',
    access: 'account',
    method: 'PUT',
    path: '/v1/backups/{name}',
    operation: 'uploadBackup',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Upload a backup in parts; the answer says where the next one begins',
    query: BackupPart,
    otherBodies: ['application/octet-stream'],
    maxBody: backupPartBytes,
    success: ok(BackupUpload),
    handle: (parts, request) =>
      parts.backups.receive(request.params.name ?? '', {
        ...request.query,
        content: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      }),
  }),
  {
    ...none,
    method: 'DELETE',
    path: '/v1/backups/{name}',
    operation: 'removeBackup',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Delete a backup',
    success: { status: 204 },
    handle: (parts, request) => parts.backups.remove(request.params.name ?? ''),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/models',
    operation: 'listModels',
    scopes,
    tag,
    summary: 'Models of the local engine, with their licences',
    success: ok(ModelList),
    handle: async (parts) => ({ models: await parts.installation.models(), next_cursor }),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/models/{name}/fetch',
    operation: 'fetchModel',
    scopes,
    authority: toManageOthers,
    tag,
    summary: 'Begin to fetch a model that does not come with the installation; the list says how far it is',
    success: { status: 202, shape: ModelList },
    handle: async (parts, request) => ({
      models: await parts.installation.fetchModel(request.params.name ?? ''),
      next_cursor,
    }),
  },
];
