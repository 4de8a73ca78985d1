import { AppError, rateLimited } from '../errors.ts';
import { type AdmissionRow, admissionTable, type Capacity, type GateName } from './admission-table.ts';
import { Gate } from './gate.ts';

const noCapacity: Capacity = { descriptors: 0, bodyBytes: 0 };

/** A gate for each row of the table. */
export type Admission = Readonly<Record<GateName, Gate>>;

export function createAdmission(capacity: Capacity): Admission {
  const names = Object.keys(admissionTable) as GateName[];
  return Object.fromEntries(names.map((name) => [name, createGate(name, capacity)])) as Admission;
}

/** A gate by itself, for what no caller of this process shares. */
export function createGate(name: GateName, capacity = noCapacity): Gate {
  const row: AdmissionRow = admissionTable[name];
  const limits = row.limits(capacity);
  return new Gate(limits, () => refusalOf(row, limits.atOnceOfOwner));
}

function refusalOf({ title, refusal }: AdmissionRow, limit: number): AppError {
  if (!refusal) return new AppError('OVERLOADED', `${title}: there are too many.`);
  const { status, sentence, retryAfterSeconds } = refusal;
  if (status === 429) return rateLimited(sentence, { limit, resetSeconds: retryAfterSeconds });
  return new AppError('OVERLOADED', sentence, { headers: { 'retry-after': String(retryAfterSeconds) } });
}
