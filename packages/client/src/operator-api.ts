import type {
  Account,
  AccountList,
  CreatedAccount,
  Doctor,
  EngineList,
  ModelList,
  NewAccount,
  PackList,
  SettingList,
  WorkerList,
} from '@guise/contract/operator.ts';
import type { Transport } from './transport.ts';

/** The installation, for whoever runs it: everything here needs the scope `operator`. */
export const operatorApi = (transport: Transport) => ({
  accounts: (cursor?: string) =>
    transport.request<AccountList>('GET', '/v1/accounts', { query: { cursor, limit: 100 } }),
  /** Its key, its token and its sign-in link are in this answer only. */
  createAccount: (body: Pick<NewAccount, 'email'> & Partial<NewAccount>) =>
    transport.request<CreatedAccount>('POST', '/v1/accounts', { body }),
  grantCredits: (id: string, amount: number) =>
    transport.request<Account>('POST', `/v1/accounts/${id}/credits`, { body: { amount } }),
  workers: () => transport.request<WorkerList>('GET', '/v1/workers'),
  engines: () => transport.request<EngineList>('GET', '/v1/engines'),
  packs: () => transport.request<PackList>('GET', '/v1/packs'),
  removePack: (name: string) => transport.request<void>('DELETE', `/v1/packs/${encodeURIComponent(name)}`),
  models: () => transport.request<ModelList>('GET', '/v1/models'),
  /** Runs the checks, which takes seconds. */
  doctor: (signal?: AbortSignal) => transport.request<Doctor>('GET', '/v1/doctor', { signal }),
  settings: () => transport.request<SettingList>('GET', '/v1/settings'),
});
