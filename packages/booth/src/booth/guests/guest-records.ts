import type { Guest } from './guest.ts';
import type { SealedStore } from './sealed-store.ts';

/** Guests in the sealed store: the one at the booth, and those whose photos wait. */
export interface GuestRecords {
  /** What the device cannot store is kept in memory as long as the page is open; says whether it is stored. */
  save(guest: Guest, photo?: Blob | null): Promise<boolean>;
  load(id: string): Promise<Guest | undefined>;
  loadPhoto(id: string): Promise<Blob | undefined>;
  all(): Promise<Guest[]>;
  drop(id: string): Promise<void>;
  /** Whether there is room for a photo. */
  hasRoom(): Promise<boolean>;
}

/** What could not be stored. Without `photo`, that of the store is the guest's. */
interface InMemory {
  guest: Guest;
  photo?: Blob | null;
}

/** A large photo of a guest, in bytes. */
const photoBytes = 2_000_000;
const probe = 'probe';

export function guestRecords(store: SealedStore): GuestRecords {
  const inMemory = new Map<string, InMemory>();
  // Changes of one page are written in the order in which they were made.
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.catch(() => {});
    return done;
  };
  const load = async (id: string) => {
    const bytes = await store.read(id, 'guest');
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Guest);
  };
  const write = async ({ guest, photo }: InMemory) =>
    store.write(guest.id, {
      guest: new TextEncoder().encode(JSON.stringify(guest)),
      ...(photo !== undefined && { photo: photo && new Uint8Array(await photo.arrayBuffer()) }),
    });
  return {
    save: (guest, photo) =>
      inOrder(async () => {
        const kept = photo === undefined ? inMemory.get(guest.id)?.photo : photo;
        const changed: InMemory = { guest, ...(kept !== undefined && { photo: kept }) };
        try {
          await write(changed);
          inMemory.delete(guest.id);
          return true;
        } catch {
          // The device is full, or the browser has taken its database away.
          inMemory.set(guest.id, changed);
          return false;
        }
      }),
    load: (id) => inOrder(async () => inMemory.get(id)?.guest ?? load(id)),
    loadPhoto: (id) =>
      inOrder(async () => {
        const kept = inMemory.get(id)?.photo;
        if (kept !== undefined) return kept ?? undefined;
        const bytes = await store.read(id, 'photo');
        return bytes && new Blob([bytes], { type: 'image/jpeg' });
      }),
    all: () =>
      inOrder(async () => {
        const guests = await Promise.all((await store.guests()).map(load));
        return guests.filter((guest) => guest !== undefined);
      }),
    drop: (id) =>
      inOrder(async () => {
        inMemory.delete(id);
        // What was never stored need not be dropped; what cannot be dropped now is dropped when the page starts again.
        await store.drop(id).catch(() => {});
      }),
    hasRoom: () =>
      inOrder(async () => {
        try {
          await store.write(probe, { photo: new Uint8Array(photoBytes) });
          return true;
        } catch {
          return false;
        } finally {
          await store.drop(probe).catch(() => {});
        }
      }),
  };
}
