import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, photo, request } from '../../../packages/server/test/support/harness.ts';

/** A photo of a guest as a booth keeps it until the server has answered. */
export interface TakenPhoto {
  /** Its Idempotency-Key. */
  id: string;
  guest: string;
  offer: string;
  /** What the guest was shown and agreed to. */
  consentVersion: number;
  givenAt: string;
  /** Whether the first answer is lost on its way, so that it is sent again. */
  losesAnswer: boolean;
}

/** What became of a photo, as the booth was told. */
export type SimulatedOutcome =
  | { kind: 'accepted'; jobId: string; token: string }
  | { kind: 'refused'; status: number; code: string };

export interface SimulatedBooth {
  take(photo: TakenPhoto): Promise<SimulatedOutcome>;
  /** Of the texts that it shows: it learns of an edit by the answer to its report. */
  consentVersion(): number;
  /** Photos that waited while the server was away. */
  queuedOffline(): number;
  resent(): number;
  stop(): Promise<void>;
}

interface BoothParts {
  name: string;
  key: string;
  /** Where the server listens now; null while it is away. */
  url(): string | null;
  /** How often the booth reports. */
  reportMs: number;
}

/** As many photos as a booth sends at once. */
const sendAtOnce = 3;
const retryMs = 40;
/** What is tried again: the network, the server itself, a pause, too many requests. */
const isTransient = (status: number, code: string) => status >= 500 || code === 'RATE_LIMITED';

/** A booth that keeps photos until they are answered, and sends them again with the same Idempotency-Key. */
export function startSimulatedBooth({ name, key, url, reportMs }: BoothParts): SimulatedBooth {
  const headers = { 'x-api-key': key };
  const station = randomUUID();
  const queue: { taken: TakenPhoto; settle(outcome: SimulatedOutcome): void }[] = [];
  const waited = new Set<string>();
  let [isStopped, unsent, resent, consentVersion] = [false, 0, 0, 1];

  const post = async (path: string, body: unknown, more: Record<string, string> = {}) => {
    const to = url();
    if (to === null) return null;
    return request(to, 'POST', path, body, { ...headers, ...more }).catch(() => null);
  };
  const send = async (taken: TakenPhoto): Promise<SimulatedOutcome> => {
    const body = {
      guest: taken.guest,
      offer_id: taken.offer,
      image: photo,
      consent: {
        version: taken.consentVersion,
        language: 'en',
        answers: { wall: true },
        given_at: taken.givenAt,
      },
    };
    let { losesAnswer } = taken;
    for (let sent = 0; ; ) {
      if (url() === null) waited.add(taken.id);
      else if (++sent === 2) resent++;
      const answer: Answer | null = await post('/v1/booth/jobs', body, { 'idempotency-key': taken.id });
      if (answer && !losesAnswer && !isTransient(answer.status, answer.body.error_code))
        return outcomeOf(answer);
      if (answer) losesAnswer = false;
      await sleep(retryMs);
    }
  };
  const work = async () => {
    while (!isStopped || queue.length > 0) {
      const next = queue.shift();
      if (!next) {
        await sleep(10);
        continue;
      }
      next.settle(await send(next.taken));
      unsent--;
    }
  };
  const report = async () => {
    while (!isStopped) {
      const report = { station, name, waiting_photos: unsent, page_version: 'simulated' };
      const answer = await post('/v1/booth/station', report);
      if (answer?.status === 200) consentVersion = answer.body.consent_version;
      await sleep(reportMs);
    }
  };
  const running = [...Array.from({ length: sendAtOnce }, work), report()];
  return {
    take(taken) {
      unsent++;
      if (url() === null) waited.add(taken.id);
      return new Promise((settle) => queue.push({ taken, settle }));
    },
    consentVersion: () => consentVersion,
    queuedOffline: () => waited.size,
    resent: () => resent,
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

function outcomeOf({ status, body }: Answer): SimulatedOutcome {
  return status === 201
    ? { kind: 'accepted', jobId: body.id, token: body.guest_token }
    : { kind: 'refused', status, code: body.error_code };
}
