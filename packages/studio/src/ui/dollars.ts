import { locale } from '../words/language.ts';

/** What engines cost: cents, and more digits of less than a cent. */
export function dollars(amount: number): string {
  const digits = amount > 0 && amount < 0.01 ? 4 : 2;
  return amount.toLocaleString(locale, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
