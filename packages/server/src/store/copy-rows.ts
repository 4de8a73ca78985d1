import type { Db, Queries } from './db.ts';
import { unbalancedAccounts } from './ledger-records.ts';
import { moveRefused } from './move-refused.ts';
import {
  continueLedgerIds,
  countRows,
  insertRow,
  ledgerSums,
  type MovedTable,
  movedTables,
  readEmbedded,
} from './move-to-shared.ts';
import type { Queue } from './queue.ts';
import type { JobRow } from './schema.ts';
import { findSetting, insertSetting } from './settings.ts';
import type { Statement } from './statement.ts';

/** What links and results are signed with, and where links for guests lead. */
const movedSettings = ['link_secret', 'c2pa_identity', 'guest_address'];

/** Called after every row or blob of the part `name`, and once for a part that has none. */
export type ReportProgress = (name: string, done: number, total: number) => void;

export async function assertEmpty(db: Queries): Promise<void> {
  for (const table of movedTables) {
    const count = await countIn(db, table);
    if (count > 0) {
      throw moveRefused(
        `The target already has ${count} rows in ${table}: give the address of an empty database.`,
      );
    }
  }
}

/** All rows of the SQLite database `file`, in one transaction that is compared with the source before it ends. */
export async function copyRows(
  file: string,
  source: Db,
  target: { db: Db; queue: Queue },
  report: ReportProgress,
): Promise<void> {
  const embedded = readEmbedded(file);
  try {
    await target.db.transaction(async (tx) => {
      for (const table of movedTables) {
        const total = embedded.count(table);
        if (total === 0) report(table, 0, 0);
        let done = 0;
        let insert: Statement<Record<string, unknown>, unknown> | undefined;
        for (const row of embedded.rows(table)) {
          insert ??= insertRow(table, row);
          await tx.run(insert, row);
          if (table === 'jobs' && row.state === 'queued')
            await target.queue.enqueue(tx, row as unknown as JobRow);
          report(table, ++done, total);
        }
      }
      await tx.one(continueLedgerIds, {});
      for (const name of movedSettings) {
        const setting = await source.one(findSetting, { name });
        if (setting) await tx.run(insertSetting, { name, value: setting.value });
      }
      await assertSame(source, tx);
    });
  } finally {
    embedded.close();
  }
}

/** As many rows in every table, the same sums, and every account adds up. */
async function assertSame(source: Queries, target: Queries): Promise<void> {
  for (const table of movedTables) {
    const [here, there] = [await countIn(source, table), await countIn(target, table)];
    if (here !== there)
      throw moveRefused(`${table} has ${here} rows here and ${there} there. Nothing was moved.`);
  }
  const [here, there] = [await source.one(ledgerSums, {}), await target.one(ledgerSums, {})];
  if (
    Number(here?.entries) !== Number(there?.entries) ||
    Number(here?.balances) !== Number(there?.balances)
  ) {
    throw moveRefused('The ledgers do not have the same sums. Nothing was moved.');
  }
  if ((await target.all(unbalancedAccounts, {})).length > 0)
    throw moveRefused('There are accounts that do not add up. Nothing was moved.');
}

async function countIn(db: Queries, table: MovedTable): Promise<number> {
  return (await db.one(countRows[table], {}))!.count;
}
