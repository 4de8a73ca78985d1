import { type Guest, withNewFields } from './guest.ts';
import type { SealedStore } from './sealed-store.ts';

/** The photo of a guest, and where it is a burst, the shots after it. */
export type Photos = readonly [Blob, ...Blob[]];

/** Guests in the sealed store: the one at the booth, and those whose photos wait. */
export interface GuestRecords {
  /** What the device cannot store is kept in memory as long as the page is open; says whether it is stored. */
  save(guest: Guest, photos?: Photos | null): Promise<boolean>;
  loadPhotos(id: string): Promise<Photos | undefined>;
  all(): Promise<Guest[]>;
  drop(id: string): Promise<void>;
  /** Whether there is room for a photo. */
  hasRoom(): Promise<boolean>;
}

/** What could not be stored. Without `photos`, those of the store are the guest's. */
interface InMemory {
  guest: Guest;
  photos?: Photos | null;
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
    return bytes && withNewFields(JSON.parse(new TextDecoder().decode(bytes)) as Guest);
  };
  const write = async ({ guest, photos }: InMemory) =>
    store.write(guest.id, {
      guest: new TextEncoder().encode(JSON.stringify(guest)),
      ...(photos !== undefined && { photo: photos && (await joinPhotos(photos)) }),
    });
  return {
    save: (guest, photos) =>
      inOrder(async () => {
        const kept = photos === undefined ? inMemory.get(guest.id)?.photos : photos;
        const changed: InMemory = { guest, ...(kept !== undefined && { photos: kept }) };
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
    loadPhotos: (id) =>
      inOrder(async () => {
        const kept = inMemory.get(id)?.photos;
        if (kept !== undefined) return kept ?? undefined;
        const bytes = await store.read(id, 'photo');
        return bytes && splitPhotos(bytes);
      }),
    all: () =>
      inOrder(async () => {
        // One that cannot be read must not keep the others from being sent.
        const guests = await Promise.all((await store.guests()).map((id) => load(id).catch(() => undefined)));
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

/** What a burst has at most. */
const mostPhotos = 8;

/** Photos as one value: how long each of them is, then how many there are, behind the photos themselves. */
async function joinPhotos(photos: Photos): Promise<Uint8Array<ArrayBuffer>> {
  const lengths = Uint32Array.of(...photos.map(({ size }) => size), photos.length);
  return new Uint8Array(await new Blob([...photos, lengths]).arrayBuffer());
}

function splitPhotos(bytes: Uint8Array<ArrayBuffer>): Photos | undefined {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = numbers.getUint32(bytes.length - 4, true);
  // One of a page before this one: a JPEG alone, whose last bytes are no count.
  if (count > mostPhotos) return [new Blob([bytes], { type: 'image/jpeg' })];
  let at = 0;
  const [first, ...others] = Array.from({ length: count }, (_, index) => {
    const length = numbers.getUint32(bytes.length - 4 * (count - index + 1), true);
    const photo = new Blob([bytes.subarray(at, at + length)], { type: 'image/jpeg' });
    at += length;
    return photo;
  });
  return first && [first, ...others];
}
