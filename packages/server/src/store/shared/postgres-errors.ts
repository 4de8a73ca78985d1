import { storageUnavailable } from '../storage-unavailable.ts';

const serializationFailure = '40001';
const deadlockDetected = '40P01';

/** PostgreSQL rolled this transaction back in favour of another: it may succeed when it is run again. */
export function wasRolledBack(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === serializationFailure || code === deadlockDetected;
}

/** The connection prepared the statement before a migration changed its columns. */
export function hasStalePlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type';
}

/** PostgreSQL is away, starting or stopping, or the connection broke: not a fault of the statement. */
export function rethrowPostgresError(error: Error & { code?: string }): never {
  const { code = '' } = error;
  const disconnected =
    /^(08|57P0|53)/.test(code) ||
    /^E(CONN|PIPE|HOST|NET|TIMEDOUT|AI_AGAIN)/.test(code) ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Client has encountered|Client was closed)/i.test(
      error.message,
    );
  throw disconnected ? storageUnavailable(error) : error;
}
