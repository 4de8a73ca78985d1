import { keepText } from '../keep-text.ts';

/** How many pictures this device has printed at an event, for the operator. */
const placeOf = (event: string) => `guise-booth-prints ${event}`;

export const readPrints = (event: string): number => Number(localStorage.getItem(placeOf(event)) ?? 0);

export function countPrint(event: string): void {
  keepText(placeOf(event), String(readPrints(event) + 1));
}
