import type { Credits } from '@guise/contract/account.ts';
import { type Lineage, refusalOf } from '@guise/contract/authority.ts';
import type { Page } from '@guise/contract/jobs.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { nextCursor } from '../next-cursor.ts';
import { refusedAct } from '../refused-act.ts';
import { findAccount } from '../store/account-records.ts';
import { type Payers, readLineage, spendInLineage } from '../store/accounts/lineages.ts';
import type { Db, Queries } from '../store/db.ts';
import { appendEntry, appendEntryOnce, credit, debit, listEntries } from '../store/ledger-records.ts';
import type { JobRow } from '../store/schema.ts';
import type { LedgerIds } from './ledger-ids.ts';

function insufficientCredits(price: number): AppError {
  const wanted = price === 1 ? '1 credit' : `${price} credits`;
  return new AppError('INSUFFICIENT_CREDITS', `This request costs ${wanted}, more than the account has.`);
}

/** Fails with `INSUFFICIENT_CREDITS` when the balance is lower than the price. */
export async function charge(
  tx: Queries,
  account_id: string,
  job_id: string,
  price: number,
  now: number,
): Promise<void> {
  if ((await tx.run(debit, { account_id, price })) === 0) throw insufficientCredits(price);
  await tx.run(appendEntry, { account_id, amount: -price, reason: 'charge', job_id, created_at: now });
}

/** Throws where a key, or one that it descends from, may not spend a price. */
function assertMaySpend(lineage: Lineage, price: number, now: number): void {
  const refusal = refusalOf(lineage, { scopes: ['run'], price }, now);
  if (refusal) throw refusedAct(refusal, price);
}

/**
 * Charges the budgets of the keys that start a job, and of all that they descend from: what a key made spends no more
 * than the key has. Fails with `INSUFFICIENT_CREDITS`, or with `UNAUTHORIZED` where one of them has ended meanwhile.
 */
export async function chargeBudgets(tx: Queries, payers: Payers, price: number, now: number): Promise<void> {
  assertMaySpend(await spendInLineage(tx, payers, price), price, now);
}

/** Fails as a charge would, and charges nothing: for what is made of many jobs, each of which is charged by itself. */
export async function assertCanPay(
  db: Db,
  { accountId, keyId }: { accountId: string; keyId: string | null },
  price: number,
): Promise<void> {
  const account = await db.one(findAccount, { id: accountId });
  if ((account?.balance ?? 0) < price) throw insufficientCredits(price);
  assertMaySpend(await readLineage(db, { keyId }), price, db.now());
}

/** A job that was paid for, and the keys whose budgets it was paid from. */
type PaidJob = Pick<JobRow, 'id' | 'account_id' | 'price' | 'key_id' | 'maker_id'>;

/** Returns the whole price. A second refund of the same job violates the ledger's unique index and fails its transaction. */
export async function refund(tx: Queries, job: PaidJob, now: number): Promise<void> {
  await tx.run(credit, { account_id: job.account_id, amount: job.price });
  await tx.run(appendEntry, {
    account_id: job.account_id,
    amount: job.price,
    reason: 'refund',
    job_id: job.id,
    created_at: now,
  });
  await refundBudget(tx, job);
}

/** As `refund`, for a job that may have been refunded before. */
export async function refundOnce(tx: Queries, job: PaidJob, now: number): Promise<void> {
  const entry = { account_id: job.account_id, amount: job.price, job_id: job.id, created_at: now };
  if ((await tx.run(appendEntryOnce, { ...entry, reason: 'refund' })) === 0) return;
  await tx.run(credit, entry);
  await refundBudget(tx, job);
}

/** After the account, as a charge does: transactions that take rows in one order do not wait for each other in a circle. */
async function refundBudget(tx: Queries, { key_id, maker_id, price }: PaidJob): Promise<void> {
  await spendInLineage(tx, { keyId: key_id, makerId: maker_id }, -price);
}

export async function grant(tx: Queries, account_id: string, amount: number): Promise<void> {
  await tx.run(credit, { account_id, amount });
  await tx.run(appendEntry, { account_id, amount, reason: 'grant', job_id: null, created_at: Date.now() });
}

/** Newest first. What is no cursor of this account's is after its last entry. */
export async function readCredits(db: Db, ids: LedgerIds, account_id: string, page: Page): Promise<Credits> {
  const before =
    page.cursor === undefined ? Number.MAX_SAFE_INTEGER : (ids.read(account_id, page.cursor) ?? 0);
  const account = await db.one(findAccount, { id: account_id });
  const rows = await db.all(listEntries, {
    account_id,
    before,
    limit: page.limit,
  });
  return {
    balance: account?.balance ?? 0,
    entries: rows.map((row) => ({
      id: ids.write(account_id, row.id),
      amount: row.amount,
      reason: row.reason,
      job_id: row.job_id,
      created_at: isoTime(row.created_at),
    })),
    next_cursor: nextCursor(rows, page.limit, ({ id }) => ids.write(account_id, id)),
  };
}
