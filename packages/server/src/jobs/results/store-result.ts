import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { MediaType } from '@guise/contract/families/families.ts';
import type { Note } from '@guise/contract/notes.ts';
import { type EngineResult, engineBroke } from '../../engines/engine.ts';
import type { ResultSigner } from '../../provenance/result-signer.ts';
import type { Blobs } from '../../store/blobs.ts';
import type { Claim } from '../../store/queue.ts';
import type { FinishResult } from '../job-hooks.ts';
import { retryWhileStorageIsAway } from '../storage-retries.ts';
import { isLoop, resultKeyOf, stillKeyOf } from './result-keys.ts';

/** What a storage gets to store a result in, once its run is stopped: less than the run itself gets. */
const putEndsWithinMs = 2000;

interface Parts {
  blobs: Blobs;
  signer: ResultSigner;
  /** Without it, results are stored as they were made. */
  finishResult?: FinishResult;
}

interface Run {
  claim: Claim;
  type: MediaType;
  scratch: string;
  signal: AbortSignal;
}

interface StoredResult {
  key: string;
  result: EngineResult;
}

/** Stores what a run makes, at once or while its engine still checks it. */
export interface ResultStorage {
  /** Begins with a file that its engine has written and may still refuse. */
  begin(made: { file: string; type: MediaType }): void;
  /** Stores what the engine made, unless that was begun; then only the rest of it is waited for. */
  finish(made: EngineResult): Promise<StoredResult>;
  /**
   * After a run that failed: on return nothing works on its files any more, and nothing of it is stored. Where a storage
   * does not answer, that may take long: what it stores in the end is removed then.
   */
  drop(): Promise<void>;
}

export function createResultStorage(parts: Parts, run: Run): ResultStorage {
  let begun: { file: string; storing: Promise<StoredResult> } | null = null;
  let dropped = false;
  return {
    begin({ file, type }) {
      // An engine that does not stop when it is told to may still come with a file.
      if (dropped || begun) return;
      begun = { file, storing: storeResult(parts, run, { file, type, applied: [], ignored: [] }) };
      // Whoever finishes gets the error.
      begun.storing.catch(() => {});
    },
    async finish(made) {
      if (begun?.file !== made.file) {
        // Both have the same key: once the first is stored or has failed, the second takes its place.
        await begun?.storing.catch(() => {});
        begun = { file: made.file, storing: storeResult(parts, run, made) };
        return begun.storing;
      }
      const { key, result } = await begun.storing;
      const together = (kind: 'applied' | 'ignored'): Note[] => [...made[kind], ...result[kind]];
      const notes = { applied: together('applied'), ignored: together('ignored') };
      return { key, result: { ...made, file: result.file, ...notes } };
    },
    async drop() {
      dropped = true;
      if (!begun) return;
      const { storing } = begun;
      begun = null;
      await storing.catch(() => {});
      // A storage may have stored what its caller was told nothing of.
      await Promise.all(keysOf(run).map((key) => parts.blobs.remove(key)));
    },
  };
}

const keyOf = ({ claim, type }: Run) => resultKeyOf(claim.job.id, claim.token, type);

/** Of the result, and of its still where it has one. */
const keysOf = (run: Run) => (isLoop(run.claim.job) ? [keyOf(run), stillKeyOf(keyOf(run))] : [keyOf(run)]);

/** Finishes it for whom the job is made, signs it and stores it. */
async function storeResult(parts: Parts, run: Run, made: EngineResult): Promise<StoredResult> {
  const { claim, type, scratch, signal } = run;
  const finish = async () => (await parts.finishResult?.(claim.job, made, { scratch, signal })) ?? made;
  const result = await retryWhileStorageIsAway(signal, finish);
  if (result.type !== type) throw new Error(`the engine made ${result.type} for a job of ${type}`);
  await assertFileType(result);
  await parts.signer.sign(result);
  const key = keyOf(run);
  const put = (blob: string, open: () => AsyncIterable<Buffer>) =>
    retryWhileStorageIsAway(signal, () =>
      withLaterSignal(signal, (later) => parts.blobs.put(blob, open(), later)),
    );
  const { file, still } = result;
  if (still !== undefined) {
    await assertFileType({ file: still, type: 'image/png' });
    await parts.signer.sign({ file: still, type: 'image/png' });
    await put(stillKeyOf(key), () => createReadStream(still));
  }
  await put(key, () => (type === 'image/png' ? base64Of(file) : createReadStream(file)));
  return { key, result };
}

/**
 * A request that is broken off may be carried out all the same, after whatever was done to undo it: one that has begun
 * when the run is stopped is given some time to come to its end.
 */
async function withLaterSignal(
  signal: AbortSignal,
  call: (later: AbortSignal) => Promise<void>,
): Promise<void> {
  signal.throwIfAborted();
  const later = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abortLater = () => {
    timer = setTimeout(() => later.abort(signal.reason), putEndsWithinMs);
  };
  signal.addEventListener('abort', abortLater, { once: true });
  try {
    await call(later.signal);
  } finally {
    signal.removeEventListener('abort', abortLater);
    clearTimeout(timer);
  }
}

/** Bytes that are encoded at a time: a text of 64 KB dies young, one of 1 MB fills the old space of V8's heap. */
const pieceBytes = 48 * 1024;
const piecesInAChunk = 16;

/** A result is encoded once, here: status answers send the stored text as it is. */
async function* base64Of(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r');
  try {
    const bytes = Buffer.allocUnsafeSlow(piecesInAChunk * pieceBytes);
    for (let filled = -1; filled !== 0; ) {
      filled = await fill(handle, bytes);
      const text = Buffer.allocUnsafeSlow(Math.ceil(filled / 3) * 4);
      for (let from = 0, at = 0; from < filled; from += pieceBytes)
        at += text.write(bytes.toString('base64', from, Math.min(from + pieceBytes, filled)), at, 'latin1');
      if (filled > 0) yield text;
    }
  } finally {
    await handle.close();
  }
}

/** Reads on until the buffer is full or the file ends, and says how much it has. */
async function fill(file: FileHandle, buffer: Buffer): Promise<number> {
  for (let filled = 0; ; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled);
    filled += bytesRead;
    if (bytesRead === 0 || filled === buffer.length) return filled;
  }
}

/** What the files of each type have at a place near their beginning. */
const signatures = {
  'image/png': [1, 'PNG'],
  'video/mp4': [4, 'ftyp'],
  'image/gif': [0, 'GIF8'],
  'image/webp': [8, 'WEBP'],
} as const satisfies Record<MediaType, readonly [number, string]>;

async function assertFileType(result: Pick<EngineResult, 'file' | 'type'>): Promise<void> {
  const head = Buffer.alloc(12);
  const file = await open(result.file, 'r');
  await file.read(head, 0, 12, 0).finally(() => file.close());
  const [at, signature] = signatures[result.type];
  const found = head.toString('latin1', at, at + signature.length) === signature;
  if (!found) throw engineBroke(`The engine did not make a file of type ${result.type}.`);
}
