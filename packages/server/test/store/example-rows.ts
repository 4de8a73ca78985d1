import type { ColumnMetadata, Kysely } from 'kysely';

export type Rows = Record<string, Record<string, unknown>>;

/** How many rows each table has, but those of the migrations. */
export async function countRows(db: Kysely<Rows>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await tablesOf(db)) {
    const { count } = await db
      .selectFrom(name)
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    counts[name] = Number(count);
  }
  return counts;
}

/** Gives every table that has none a row, with a value in every column that it has now. */
export async function fillEmptyTables(db: Kysely<Rows>): Promise<void> {
  const counts = await countRows(db);
  const empty = (await tablesOf(db)).filter(({ name }) => counts[name] === 0);
  // Other tables refer to accounts.
  empty.sort((a, b) => Number(b.name === 'accounts') - Number(a.name === 'accounts'));
  for (const { name, columns } of empty) {
    const account =
      name === 'accounts' ? undefined : await db.selectFrom('accounts').select('id').executeTakeFirst();
    const row = columns
      .filter(({ isAutoIncrementing }) => !isAutoIncrementing)
      .map((column) => [
        column.name,
        column.name === 'account_id' ? account?.id : exampleValue(name, column),
      ]);
    await db.insertInto(name).values(Object.fromEntries(row)).execute();
  }
}

async function tablesOf(db: Kysely<Rows>) {
  const tables = await db.introspection.getTables();
  return tables.filter(
    ({ name, isView }) => !isView && !name.startsWith('kysely_') && !name.startsWith('sqlite_'),
  );
}

const isNumber = (type: string) => /int|real|double|float/i.test(type);

function exampleValue(table: string, { name, dataType }: ColumnMetadata): string | number {
  if (isNumber(dataType)) return 1;
  // Whatever is kept as JSON can be read.
  return /id$|hash|name|email|key|kind|state|url|token/.test(name) ? `${table}-${name}` : '{}';
}
