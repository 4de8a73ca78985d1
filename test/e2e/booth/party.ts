import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { boothApp } from '../../../packages/server/src/app/build-web-apps.ts';
import { newId } from '../../../packages/server/src/ids.ts';
import {
  insertEventGuest,
  insertEventJob,
} from '../../../packages/server/src/store/events/event-guest-records.ts';
import {
  type Answer,
  photo,
  request,
  type TestAccount,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';
import { seedJobs } from '../studio/seed-jobs.ts';
import { keepPages } from '../support/kept-pages.ts';
import { checkComplaints, collectComplaints } from '../support/page-checks.ts';
import { type Pages, startPages } from '../support/start-pages.ts';

/** An event that is under way, with the key of one booth. */
export interface Party {
  id: string;
  /** Of the interface. */
  path: string;
  /** Sends a photo of a guest, who answers the questions so. */
  submit(answers: Record<string, boolean>, guest?: string): Promise<{ id: string; guest_token: string }>;
  /** The same, and waits for the picture. */
  shoot(answers: Record<string, boolean>, guest?: string): Promise<{ id: string; guest_token: string }>;
  /** Paths of the pages behind its links. */
  links(): Promise<{ wall: string; gallery: string; wallToken: string }>;
  readWall(token: string): Promise<Answer>;
  /** Ended jobs with pictures, straight in the records. */
  seed(count: number): Promise<void>;
}

export interface PartyPage {
  page: Page;
  context: BrowserContext;
  complaints: string[];
  /** Fails on anything else that the page complained about. */
  close(expected?: RegExp): Promise<void>;
}

interface PageOptions {
  width?: number;
  height?: number;
  dark?: boolean;
  language?: string;
  motion?: 'reduce' | 'no-preference';
}

export interface Parties extends Omit<Pages, 'browser'> {
  make(fields?: object): Promise<Party>;
  open(path: string, options?: PageOptions): Promise<PartyPage>;
}

const preview = (id: number) =>
  readFileSync(new URL(`../../../catalog/previews/face_swap/${id}.webp`, import.meta.url));
/** A picture of the catalog, as an engine would make it. */
export const pictureOf = (id: number): Promise<Buffer> => sharp(preview(id)).png().toBuffer();

/** The pages of guests and the wall in a real browser, and a server whose engine makes the same picture of everything. */
export async function startParties(): Promise<Parties> {
  const { browser, ...rest } = await startPages(boothApp, { config: { runsPerMinute: 0 }, credits: 100_000 });
  const { server, account } = rest;
  server.engine.result = await pictureOf(1);
  const kept = keepPages();
  return {
    ...rest,
    make: (fields = {}) => makeParty(server, account, fields),
    async open(path, { width = 390, height = 844, dark = false, language = 'en', motion = 'reduce' } = {}) {
      const page = await kept.take(language, () =>
        browser.newContext({ baseURL: server.url, locale: language }),
      );
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: motion });
      const complaints = collectComplaints(page, server.url);
      await page.goto(path);
      return {
        page,
        context: page.context(),
        complaints,
        async close(expected) {
          await kept.keep(language, page);
          checkComplaints(complaints, expected);
        },
      };
    },
  };
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

async function makeParty(server: TestServer, account: TestAccount, fields: object): Promise<Party> {
  const made = await account.call('POST', '/v1/events', {
    name: 'Summer gala',
    starts_at: inHours(-1),
    ends_at: inHours(8),
    offers: [{ id: 'astronaut', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } }],
    texts: { en: { thanks: 'Thank you for coming' }, de: { thanks: 'Danke, dass du da warst' } },
    questions: [{ id: 'wall', labels: { en: 'It may be shown on the wall' } }],
    result_hours: 48,
    ...fields,
  });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id, offers } = made.body;
  const path = `/v1/events/${id}`;
  const key = (await account.call('POST', `${path}/keys`, { name: 'tablet' })).body.secret;
  const headers = { 'x-api-key': key };
  const submit: Party['submit'] = async (answers, guest = randomUUID()) => {
    const consent = { version: 1, language: 'en', answers };
    const [{ id: offer_id, kind }] = offers;
    const photos = kind === 'living_portrait' ? { images: [photo, photo] } : { image: photo };
    const body = { guest, offer_id, ...photos, consent };
    const started = await request(server.url, 'POST', '/v1/booth/jobs', body, headers);
    assert.equal(started.status, 201, JSON.stringify(started.body));
    return started.body;
  };
  return {
    id,
    path,
    submit,
    async shoot(answers, guest) {
      const started = await submit(answers, guest);
      const wait = { ...headers, prefer: 'wait=20' };
      await request(server.url, 'GET', `/v1/booth/jobs/${started.id}`, undefined, wait);
      return started;
    },
    async links() {
      const { wall, gallery } = (await account.call('GET', `${path}/links`)).body;
      const pathOf = (url: string | undefined) => (url ?? '').slice(server.url.length);
      return { wall: pathOf(wall?.url), gallery: pathOf(gallery?.url), wallToken: wall?.token ?? '' };
    },
    readWall: (token) => request(server.url, 'GET', '/v1/wall', undefined, { 'x-wall-token': token }),
    async seed(count) {
      const ids = await seedJobs(server.config, { accountId: account.id, count });
      const guest = {
        id: newId(),
        event_id: id,
        guest_ref: randomUUID(),
        pictures: 0,
        tries: 0,
        created_at: 0,
      };
      await server.db.transaction(async (tx) => {
        await tx.run(insertEventGuest, guest);
        for (const job_id of ids)
          await tx.run(insertEventJob, { ...seededJob, job_id, event_id: id, guest_id: guest.id });
      });
    },
  };
}

const seededJob = {
  offer_id: 'astronaut',
  price: 2,
  counted: 1,
  consent_version: 1,
  consent_language: 'en',
  consent_answers: '{"wall":true,"gallery":true}',
  consent_at: 0,
  approval: 0,
  take: null,
  further: 0,
  variation: null,
  details: null,
  moment: 0,
  created_at: 0,
} as const;
