import { base64Of } from '@guise/client/bytes.ts';
import { makeMoment } from '../moment/make-moment.ts';
import type { Submission } from './guest.ts';
import { type Guest, newGuest, type TakeKind } from './guest.ts';
import type { GuestRecords, Photos } from './guest-records.ts';
import { type BoothApi, noPhoto, type SubmitOutcome, submitPhoto } from './submit-photo.ts';

/** The photo of the guest at the booth, as it is sent. */
export interface GuestPhoto {
  /** For `<img>`; revoked when the photo is replaced or the guest leaves. */
  url: string;
  /** For the check on this device. */
  blob: Blob;
  /** As requests take it: for the check, and again for the job. */
  base64: Promise<string>;
  /** Of a burst or a strip, the shots after the photo. */
  others: readonly Blob[];
  /** For `<img>`: the photo and those. */
  all: readonly [string, ...string[]];
  /** For `<img>`: small shots of the moment, which are in the memory of this page alone. */
  frames: readonly string[];
  /** The same as a GIF, for the guest's page; null where there are none. */
  moment: Promise<Blob | null>;
}

export interface BoothGuestsState {
  /** Read from the database after a reload. */
  isLoaded: boolean;
  guest: Guest | null;
  photo: GuestPhoto | null;
  /** Photos of guests who left that have not been sent. */
  waiting: number;
  /** Guests who left with a number. */
  uncollected: number;
  /** Whether this device has room for a photo, as far as it was looked. */
  hasRoom: boolean;
  /** Guests of whom something is kept in the memory of this page alone. */
  unstored: ReadonlySet<string>;
}

/** Which guest is at the booth, so that a reload goes on with the same one. */
export interface CurrentGuest {
  read(): string | null;
  write(id: string | null): void;
}

interface Parts {
  api: BoothApi;
  /** Whether the event gives guests the quick shots as a moving picture. */
  keepsMoments(): boolean;
  records: GuestRecords;
  current: CurrentGuest;
}

/** A server that takes longer for a moving picture does without it. */
const momentMs = 15_000;
/** Nothing of a guest is kept here for longer. */
const longestMs = 24 * 3600_000;
/** A guest of whom nothing has changed for so long does not stand at a booth that starts again. */
const longestAtBoothMs = 30 * 60_000;

/**
 * The guest at the booth, and those who left before their photo was sent. Every change is stored before it counts, so
 * that a reload, a crash or a dead battery loses nothing; what is not needed any more is dropped with its key.
 */
export class BoothGuests {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  readonly #sending = new Map<string, Promise<void>>();
  #state: BoothGuestsState = {
    isLoaded: false,
    guest: null,
    photo: null,
    waiting: 0,
    uncollected: 0,
    hasRoom: true,
    unstored: new Set(),
  };
  #left: Guest[] = [];
  #loaded: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): BoothGuestsState => this.#state;

  /** Reads what a page before this one has left, once. */
  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load(): Promise<void> {
    try {
      await this.#readKept();
    } catch {
      // A browser that does not open its database: guests are kept in the memory of this page.
    }
    this.#set({ isLoaded: true });
    await this.flush();
  }

  async #readKept(): Promise<void> {
    const { records, current } = this.#parts;
    const currentId = current.read();
    for (const guest of await records.all()) {
      const { id, leftAt, submission, refusal, storedAt } = guest;
      if (id === currentId && storedAt > Date.now() - longestAtBoothMs) {
        await this.#show(guest);
        continue;
      }
      if (id === currentId) current.write(null);
      const waits = leftAt !== null || (submission !== null && !refusal);
      if (!waits || isOld(guest)) await records.drop(id);
      else this.#left.push({ ...guest, leftAt: leftAt ?? Date.now() });
    }
  }

  async start(language: string): Promise<void> {
    const guest = newGuest(
      language,
      this.#left.map(({ code }) => code),
    );
    this.#parts.current.write(guest.id);
    this.#set({ guest });
    await this.#save(guest);
  }

  /** Looks whether photos can wait on this device. */
  async lookForRoom(): Promise<void> {
    this.#set({ hasRoom: await this.#parts.records.hasRoom() });
  }

  async change(change: Partial<Omit<Guest, 'id'>>): Promise<void> {
    const guest = this.#state.guest && { ...this.#state.guest, ...change };
    if (!guest) return;
    this.#set({ guest });
    await this.#save(guest);
  }

  /** Shows a photo for review; none goes back to the camera. */
  async setPhotos(
    photos: Photos | null,
    taken: TakeKind = 'one',
    frames: readonly Blob[] = [],
  ): Promise<void> {
    const { guest } = this.#state;
    if (!guest) return;
    this.#showPhotos(photos, frames);
    const changed: Guest = { ...guest, taken, step: photos ? 'review' : 'shoot', notice: null };
    this.#set({ guest: changed });
    await this.#save(changed, photos);
  }

  /** The guest wants pictures of the photos: from here on they reach the server, whatever happens to this page. */
  async accept({ kind, parts }: { kind: TakeKind; parts: number }): Promise<void> {
    const { guest } = this.#state;
    if (!guest?.offerId) return;
    const { id, offerId, ratio, consent, details } = guest;
    const body = {
      guest: id,
      offer_id: offerId,
      ...(Object.keys(details).length > 0 && { details: { ...details } }),
      ...(ratio && { ratio }),
      ...(consent && { consent }),
      ...(parts > 1 && { take: crypto.randomUUID() }),
    };
    const submission = { idempotencyKey: crypto.randomUUID(), body, kind, parts, sent: 0 };
    const none = { job: null, further: [], made: kind, notice: null, obstacle: null };
    await this.change({ step: 'handOver', submission, ...none });
    await this.#send(id);
  }

  /** Ends the guest's time at the booth. Nothing stays on the screen; a photo that was not sent waits. */
  async leave(): Promise<void> {
    const { guest } = this.#state;
    if (!guest) return;
    this.#parts.current.write(null);
    this.#showPhotos(null);
    this.#set({ guest: null });
    if (guest.submission && !guest.refusal) {
      const left = { ...guest, leftAt: Date.now() };
      this.#left.push(left);
      this.#set({});
      await this.#save(left);
    } else await this.#drop(guest.id);
  }

  /** Sends what waits, as long as the server takes it. What the budget did not pay for waits until it is `offered`. */
  async flush(offered?: ReadonlySet<string>): Promise<void> {
    const { guest } = this.#state;
    const isUnpaid = ({ obstacle, submission }: Guest) =>
      obstacle === 'budget' && !offered?.has(submission?.body.offer_id ?? '');
    const unsent = [...(guest ? [guest] : []), ...this.#left].filter(
      (one) => one.submission && !one.refusal && !isUnpaid(one),
    );
    for (const one of unsent) {
      const { id } = one;
      // There may be room again.
      if (this.#state.unstored.has(id)) await this.#save(one);
      try {
        await this.#send(id);
      } catch {
        // A photo that cannot be read now must not keep those after it from being sent.
        continue;
      }
      if (this.#find(id)?.obstacle === 'away') return;
    }
    await this.#removeOld();
  }

  /** After all that could be sent was: a clock that was wrong and is set right makes guests look old who are not. */
  async #removeOld(): Promise<void> {
    const old = this.#left.filter(isOld);
    if (old.length > 0) await this.#removeFromLeft(old);
  }

  /** A guest who left comes back. Says whether there is one with this number whose turn it is. */
  async collect(code: string): Promise<'ready' | 'waiting' | 'unknown'> {
    const found = this.#left.filter((guest) => guest.code === code);
    const guest = found.find(({ submission }) => !submission);
    if (!guest) return found.length > 0 ? 'waiting' : 'unknown';
    // A guest whom the end of the event has stopped on the way is not kept beside this one.
    await this.leave();
    this.#left = this.#left.filter(({ id }) => id !== guest.id);
    const back = { ...guest, leftAt: null };
    this.#parts.current.write(guest.id);
    await this.#show(back);
    await this.#save(back);
    return 'ready';
  }

  removeLeft(): Promise<void> {
    return this.#removeFromLeft(this.#left);
  }

  async #removeFromLeft(removed: readonly Guest[]): Promise<void> {
    this.#left = this.#left.filter((guest) => !removed.includes(guest));
    this.#set({});
    for (const { id } of removed) await this.#drop(id);
  }

  #send(id: string): Promise<void> {
    const running = this.#sending.get(id);
    if (running) return running;
    const sent = this.#sendNow(id).finally(() => this.#sending.delete(id));
    this.#sending.set(id, sent);
    return sent;
  }

  async #sendNow(id: string): Promise<void> {
    // Of this guest, also when the next one has a photo before the answer comes.
    const photo = this.#state.guest?.id === id ? this.#state.photo : null;
    const images = (await imagesOf(photo)) ?? (await this.#readImages(id));
    // One part after the other: the code is there with the first.
    for (;;) {
      const before = this.#find(id);
      const submission = before?.submission;
      if (!submission) return;
      if (!images) return this.#settle(before, submission, noPhoto);
      const isRepeated = before.obstacle !== null;
      const outcome = await submitPhoto(this.#parts.api, submission, images, isRepeated);
      const guest = this.#find(id);
      // Whoever left meanwhile is found among those who left; whose photo was deleted meanwhile, nowhere.
      if (guest?.submission?.idempotencyKey !== submission.idempotencyKey) return;
      await this.#settle(guest, submission, outcome);
      if (outcome.kind !== 'started') return;
      if (submission.sent === 0) void this.#sendMoment(outcome.job.id, photo);
    }
  }

  /** The moving picture is there for the guest's page before the picture is. It is not kept for later. */
  async #sendMoment(jobId: string, photo: GuestPhoto | null): Promise<void> {
    const moment = this.#parts.keepsMoments() ? await photo?.moment : null;
    if (!moment) return;
    const gif = await base64Of(moment);
    await this.#parts.api.putMoment(jobId, { gif }, AbortSignal.timeout(momentMs)).catch(() => {});
  }

  async #readImages(id: string): Promise<Images | undefined> {
    const photos = await this.#parts.records.loadPhotos(id);
    return photos && encodeAll(photos);
  }

  async #settle(guest: Guest, submission: Submission, outcome: SubmitOutcome): Promise<void> {
    const hasLeft = guest.leftAt !== null;
    const sent = submission.sent + 1;
    const isWhole = sent >= submission.parts;
    if (submission.sent > 0 && (outcome.kind === 'refused' || outcome.kind === 'asksAgain'))
      // The rest is not taken any more: the guest has the pictures before it.
      return this.#replace({ ...guest, submission: null, obstacle: null }, hasLeft);
    switch (outcome.kind) {
      case 'started': {
        const jobs =
          submission.sent === 0
            ? { job: outcome.job, further: [] }
            : { further: [...guest.further, outcome.job] };
        const rest = isWhole ? null : { ...submission, sent };
        return this.#replace({ ...guest, ...jobs, submission: rest, obstacle: null }, hasLeft && isWhole);
      }
      case 'waits':
        return this.#replace({ ...guest, obstacle: outcome.obstacle });
      case 'refused':
        return this.#replace(
          hasLeft ? { ...guest, obstacle: 'closed' } : { ...guest, refusal: outcome.refusal },
        );
      case 'asksAgain':
        return this.#replace({ ...guest, ...outcome.change, submission: null, obstacle: null });
    }
  }

  async #save(guest: Guest, photos?: Photos | null): Promise<void> {
    this.#note(guest.id, await this.#parts.records.save({ ...guest, storedAt: Date.now() }, photos));
  }

  async #drop(id: string): Promise<void> {
    await this.#parts.records.drop(id);
    this.#note(id, true);
  }

  #note(id: string, isStored: boolean): void {
    const { unstored } = this.#state;
    if (unstored.has(id) === !isStored) return;
    const others = [...unstored].filter((other) => other !== id);
    this.#set({ unstored: new Set(isStored ? others : [...others, id]) });
  }

  #find(id: string): Guest | undefined {
    const { guest } = this.#state;
    return guest?.id === id ? guest : this.#left.find((left) => left.id === id);
  }

  async #replace(guest: Guest, dropPhoto = false): Promise<void> {
    if (this.#state.guest?.id === guest.id) this.#set({ guest });
    else {
      this.#left = this.#left.map((left) => (left.id === guest.id ? guest : left));
      this.#set({});
    }
    await (dropPhoto ? this.#save(guest, null) : this.#save(guest));
  }

  async #show(guest: Guest): Promise<void> {
    this.#showPhotos((await this.#parts.records.loadPhotos(guest.id).catch(() => null)) ?? null);
    this.#set({ guest });
  }

  #showPhotos(photos: Photos | null, shots: readonly Blob[] = []): void {
    const { photo } = this.#state;
    for (const url of photo ? [...photo.all, ...photo.frames] : []) URL.revokeObjectURL(url);
    const [blob, ...others] = photos ?? [];
    const frames = shots.map((shot) => URL.createObjectURL(shot));
    if (!blob) {
      this.#set({ photo: null });
      return;
    }
    const url = URL.createObjectURL(blob);
    const all = [url, ...others.map((other) => URL.createObjectURL(other))] as const;
    this.#set({
      photo: { url, blob, base64: base64Of(blob), others, all, frames, moment: makeMoment(shots) },
    });
  }

  #set(change: Partial<BoothGuestsState>): void {
    const waiting = this.#left.filter(({ submission }) => submission).length;
    this.#state = { ...this.#state, ...change, waiting, uncollected: this.#left.length };
    for (const listener of this.#listeners) listener();
  }
}

type Images = readonly [string, ...string[]];

const isOld = ({ leftAt }: Guest) => leftAt !== null && leftAt < Date.now() - longestMs;

async function imagesOf(photo: GuestPhoto | null): Promise<Images | undefined> {
  if (!photo) return undefined;
  return [await photo.base64, ...(await Promise.all(photo.others.map((other) => base64Of(other))))];
}

async function encodeAll([first, ...others]: Photos): Promise<Images> {
  return [await base64Of(first), ...(await Promise.all(others.map((other) => base64Of(other))))];
}
