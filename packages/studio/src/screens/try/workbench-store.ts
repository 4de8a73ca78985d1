import { type Burst, noBurst } from '../../photo/burst.ts';
import type { Photo } from '../../photo/photo.ts';
import type { RunChoice } from './run-choice.ts';

// What lies on the workbench is kept by this browser, for each account. Photos are sent to the server only with a run.

/** What is small, and is there before the page is shown. */
export interface Workbench {
  choice: RunChoice;
  /** The jobs whose results are shown. */
  shown: string[];
}

export interface BenchPhotos {
  photo: Photo | undefined;
  lastFrame: Photo | undefined;
  burst: Burst;
}

const prefix = 'guise-workbench ';
const databaseName = 'guise-workbench';
const storeName = 'photos';

/** Undefined where this browser has none, or keeps nothing. */
export function readWorkbench(accountId: string): Workbench | undefined {
  try {
    const text = localStorage.getItem(prefix + accountId);
    return text === null ? undefined : (JSON.parse(text) as Workbench);
  } catch {
    return undefined;
  }
}

export function writeWorkbench(accountId: string, bench: Workbench): void {
  try {
    localStorage.setItem(prefix + accountId, JSON.stringify(bench));
  } catch {
    // A browser that keeps nothing, or has no room: the page works without.
  }
}

export async function readBenchPhotos(accountId: string): Promise<BenchPhotos> {
  const none = { photo: undefined, lastFrame: undefined, burst: noBurst };
  const kept = await request<Partial<BenchPhotos> | undefined>('readonly', (store) =>
    store.get(accountId),
  ).catch(() => undefined);
  if (!kept) return none;
  const { photos, video } = kept.burst ?? noBurst;
  return {
    photo: withAddress(kept.photo),
    lastFrame: withAddress(kept.lastFrame),
    burst: {
      photos: photos.map((photo) => withAddress(photo)!),
      video: withAddress(video),
    },
  };
}

/** Addresses of photos are of the page that made them. */
function withAddress<T extends { blob: Blob }>(photo: T | undefined): T | undefined {
  return photo && { ...photo, url: URL.createObjectURL(photo.blob) };
}

export async function writeBenchPhotos(accountId: string, photos: BenchPhotos): Promise<void> {
  await request('readwrite', (store) => store.put(photos, accountId)).catch(() => {});
}

/** Nobody who uses this browser next sees what was chosen, or the photos. */
export function forgetWorkbenches(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  indexedDB.deleteDatabase(databaseName);
}

async function request<T>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await openDatabase();
  try {
    return await resultOf<T>(ask(database.transaction(storeName, mode).objectStore(storeName)));
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(databaseName, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
  return resultOf(opening);
}

function resultOf<T>(asked: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result as T);
    asked.onerror = () => reject(asked.error);
  });
}
