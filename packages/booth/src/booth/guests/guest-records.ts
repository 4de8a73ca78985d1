import type { Guest } from './guest.ts';
import type { SealedStore } from './sealed-store.ts';

/** Guests in the sealed store: the one at the booth, and those whose photos wait. */
export interface GuestRecords {
  save(guest: Guest, photo?: Blob | null): Promise<void>;
  load(id: string): Promise<Guest | undefined>;
  loadPhoto(id: string): Promise<Blob | undefined>;
  all(): Promise<Guest[]>;
  drop(id: string): Promise<void>;
}

export function guestRecords(store: SealedStore): GuestRecords {
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
  return {
    save: (guest, photo) =>
      inOrder(async () =>
        store.write(guest.id, {
          guest: new TextEncoder().encode(JSON.stringify(guest)),
          ...(photo !== undefined && { photo: photo && new Uint8Array(await photo.arrayBuffer()) }),
        }),
      ),
    load: (id) => inOrder(() => load(id)),
    loadPhoto: (id) =>
      inOrder(async () => {
        const bytes = await store.read(id, 'photo');
        return bytes && new Blob([bytes], { type: 'image/jpeg' });
      }),
    all: () =>
      inOrder(async () => {
        const guests = await Promise.all((await store.guests()).map(load));
        return guests.filter((guest) => guest !== undefined);
      }),
    drop: (id) => inOrder(() => store.drop(id)),
  };
}
