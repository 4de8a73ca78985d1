import { type FamilyName, familyNames, findFamily } from '@guise/contract/families/families.ts';
import { Price } from '@guise/contract/families/prices.ts';
import { AppError } from '../errors.ts';
import { settings } from '../settings-table.ts';

/** Prices that differ from those of the families' table. */
export type Prices = Partial<Record<FamilyName, Price>>;

/** Checks what `GUISE_PRICES` says against the job families. */
export function readPrices(given: Record<string, unknown>): Prices {
  const unknown = Object.keys(given).filter((name) => !findFamily(name));
  if (unknown.length > 0) {
    throw new AppError(
      'BAD_SETTING',
      `GUISE_PRICES names ${unknown.join(', ')}. The job families are ${familyNames.join(', ')}.`,
    );
  }
  const prices: Prices = {};
  for (const [name, value] of Object.entries(given)) {
    const price = Price.safeParse(value);
    if (!price.success) throw unusable(given, price.error.issues);
    prices[name as FamilyName] = price.data;
  }
  return prices;
}

function unusable(given: object, issues: { message: string }[]): AppError {
  const why = issues.map((issue) => issue.message).join('; ');
  const { about } = settings.GUISE_PRICES;
  return new AppError(
    'BAD_SETTING',
    `GUISE_PRICES=${JSON.stringify(given)} cannot be used: ${why}. ${about}`,
  );
}
