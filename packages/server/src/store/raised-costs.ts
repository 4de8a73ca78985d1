import { sql } from 'kysely';

/** Adds what servers took to what a row has of it. */
export const raisedCosts = (p: { gpu_seconds: number; cost: number }) => ({
  gpu_seconds: sql<number>`gpu_seconds + ${p.gpu_seconds}`,
  cost: sql<number>`cost + ${p.cost}`,
});
