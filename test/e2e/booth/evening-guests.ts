import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../../../packages/server/test/support/harness.ts';
import type { SimulatedBooth, SimulatedOutcome, TakenPhoto } from './simulated-booth.ts';

/** A photo and what came of it. */
export interface PhotoRecord extends TakenPhoto {
  outcome: SimulatedOutcome;
  booth: number;
}

export interface GuestParts {
  booths: readonly SimulatedBooth[];
  /** What the booth shows: texts that are edited during the evening have a new version. */
  consentVersion(booth: number): number;
  offers: readonly string[];
  url(): string | null;
  /** How many photos were taken so far. */
  taken: number;
  /** Every photo that a booth has an answer for. */
  records: PhotoRecord[];
  /** Jobs that their guests have erased. */
  erased: Set<string>;
}

/** The first answer of every so many photos is lost on its way. */
const lostAnswers = 20;
const erasers = 0.08;
/** Guests who have their photos taken at both booths at once. */
const atBothBooths = 0.05;

/** A guest of the evening: some photos, at one booth or at both at once; some erase what they got. */
export async function visit(parts: GuestParts): Promise<void> {
  const guest = randomUUID();
  const wanted = Math.random() < 0.1 ? 5 : 1 + Math.floor(Math.random() * 3);
  const home = Math.floor(Math.random() * parts.booths.length);
  const taken: PhotoRecord[] = [];
  const shoot = async (booth: number) => {
    const record = await takePhoto(parts, guest, booth);
    taken.push(record);
    return record.outcome;
  };
  if (Math.random() < atBothBooths) {
    await Promise.all(Array.from({ length: wanted + 2 }, (_, at) => shoot(at % parts.booths.length)));
  } else {
    for (let at = 0; at < wanted; at++) if ((await shoot(home)).kind === 'refused') break;
  }
  if (Math.random() < erasers) await erasePictures(parts, taken);
}

/** One photo at a booth, with the consent that the guest gives there and then. */
export async function takePhoto(parts: GuestParts, guest: string, booth: number): Promise<PhotoRecord> {
  const offer = parts.offers[Math.floor(Math.random() * parts.offers.length)]!;
  const photo: TakenPhoto = {
    id: randomUUID(),
    guest,
    offer,
    consentVersion: parts.consentVersion(booth),
    givenAt: new Date().toISOString(),
    losesAnswer: parts.taken++ % lostAnswers === 0,
  };
  const outcome = await parts.booths[booth]!.take(photo);
  const record = { ...photo, outcome, booth };
  parts.records.push(record);
  return record;
}

/** One picture, or all of the guest, by the token of the guest's page. */
async function erasePictures(parts: GuestParts, taken: readonly PhotoRecord[]): Promise<void> {
  const accepted = taken.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome] : []));
  const [first] = accepted;
  if (!first) return;
  const all = Math.random() < 0.5;
  for (const { jobId } of all ? accepted : [first]) parts.erased.add(jobId);
  const path = all ? '/v1/guest/pictures' : `/v1/guest/pictures/${first.jobId}`;
  for (let isRepeated = false; ; isRepeated = true) {
    const url = parts.url();
    const answer =
      url &&
      (await request(url, 'DELETE', path, undefined, { 'x-guest-token': first.token }).catch(() => null));
    // The answer to the first may have been lost with the server.
    if (answer && (answer.status === 204 || (isRepeated && answer.status === 404))) return;
    if (answer && answer.status < 500 && answer.status !== 429)
      throw new Error(`a guest could not erase: ${answer.status} ${answer.body.error_code}`);
    await sleep(50);
  }
}
