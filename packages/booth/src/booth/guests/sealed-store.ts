/**
 * What the booth keeps of guests, in the browser's database and encrypted with AES-GCM. Each guest has a key of its
 * own, which cannot be read out; without the key nothing of the guest can be read, so that dropping it is what counts.
 */
export interface SealedStore {
  /** Writes values of a guest under names, all or none. `null` removes one. */
  write(guest: string, values: Readonly<Record<string, Uint8Array<ArrayBuffer> | null>>): Promise<void>;
  read(guest: string, name: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  guests(): Promise<string[]>;
  /** Drops the key of a guest with everything that it seals. */
  drop(guest: string): Promise<void>;
}

interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  bytes: ArrayBuffer;
}

const keys = 'keys';
const values = 'values';

export function openSealedStore(name: string): SealedStore {
  const opened = reopening(name);
  return {
    async write(guest, written) {
      const db = await opened();
      // A transaction ends while it waits for anything else, so everything is sealed before it begins.
      const key = (await get<CryptoKey>(db, keys, guest)) ?? (await newKey());
      const sealed = await Promise.all(
        Object.entries(written).map(
          async ([at, bytes]) => [at, bytes && (await seal(key, bytes, guest, at))] as const,
        ),
      );
      const transaction = db.transaction([keys, values], 'readwrite');
      transaction.objectStore(keys).put(key, guest);
      for (const [at, value] of sealed)
        if (value) transaction.objectStore(values).put(value, [guest, at]);
        else transaction.objectStore(values).delete([guest, at]);
      await ended(transaction);
    },
    async read(guest, at) {
      const db = await opened();
      const [key, value] = await Promise.all([
        get<CryptoKey>(db, keys, guest),
        get<Sealed>(db, values, [guest, at]),
      ]);
      if (!key || !value) return undefined;
      const { iv, bytes } = value;
      const algorithm = { name: 'AES-GCM', iv, additionalData: place(guest, at) };
      return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, bytes));
    },
    async guests() {
      const db = await opened();
      return (await answered(db.transaction(keys).objectStore(keys).getAllKeys())).map(String);
    },
    async drop(guest) {
      const db = await opened();
      const transaction = db.transaction([keys, values], 'readwrite', { durability: 'strict' });
      transaction.objectStore(keys).delete(guest);
      transaction.objectStore(values).delete(IDBKeyRange.bound([guest], [guest, []]));
      await ended(transaction);
    },
  };
}

const newKey = () =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

/** A value opens only where it was written. */
const place = (guest: string, at: string) => new TextEncoder().encode(`${guest} ${at}`);

async function seal(
  key: CryptoKey,
  bytes: Uint8Array<ArrayBuffer>,
  guest: string,
  at: string,
): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const algorithm = { name: 'AES-GCM', iv, additionalData: place(guest, at) };
  return { iv, bytes: await crypto.subtle.encrypt(algorithm, key, bytes) };
}

/** The database, opened again after the browser has closed it: WebKit does so with pages in the background. */
function reopening(name: string): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | undefined;
  const open = async () => {
    const db = await openDatabase(name);
    db.onclose = () => {
      opened = undefined;
    };
    return db;
  };
  return async () => {
    opened ??= open();
    try {
      const db = await opened;
      // Throws where the database was closed without a word.
      db.transaction(keys).abort();
      return db;
    } catch {
      opened = open();
      return opened;
    }
  };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(keys);
    request.result.createObjectStore(values);
  };
  return answered(request);
}

function get<T>(db: IDBDatabase, store: string, key: IDBValidKey): Promise<T | undefined> {
  return answered(db.transaction(store).objectStore(store).get(key));
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function ended(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}
