import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { Guise } from '../packages/client/src/guise.ts';
import type { StudioContent } from './studio-content.ts';

const sample = (name: string) =>
  readFileSync(new URL(`../catalog/samples/${name}.jpg`, import.meta.url)).toString('base64');
const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

/** An evening under way with two booths and some pictures, one that is planned, and one that was erased. */
export async function makeEventContent(url: string, key: string): Promise<StudioContent> {
  const guise = new Guise({ baseUrl: url, apiKey: key });
  const offers = await chooseOffers(guise);
  const erased_event = await eraseOne(url, guise);
  await guise.events.create({
    name: 'Winter gala of the sailing club',
    starts_at: inHours(240),
    ends_at: inHours(248),
    time_zone: 'Europe/Berlin',
    offers: offers.single,
    budget: 1500,
  });
  const event = await guise.events.create({
    name: 'Lakeside summer party',
    starts_at: inHours(-3),
    ends_at: inHours(5),
    time_zone: 'Europe/Berlin',
    offers: [...offers.single, offers.group],
    safe_offer: offers.single[0]!.id,
    budget: 60,
    pictures_per_guest: 3,
    tries_per_guest: 5,
    result_hours: 48,
    texts,
    questions: [{ id: 'wall', labels: { en: 'My picture may be shown on the wall' } }],
    branding: { background: '#10243a', text: '#ffffff', accent: '#ffb000', print_layout: '4x6' },
    wall: 'approved',
  });
  await guise.events.putOverlay(event.id, 'portrait', { image: await frame() });
  await takePictures(await startBooths(url, guise, event.id), offers);
  const { jobs } = await guise.events.jobs(event.id);
  for (const { id } of jobs.slice(0, 2))
    await guise.events.changePicture(event.id, id, { approval: 'approved' });
  return { event: event.id, erased_event };
}

const texts = {
  en: {
    welcome: 'Touch to start',
    consent: 'I agree that my photo is used to make this picture.',
    thanks: 'Enjoy the evening',
  },
  de: {
    welcome: 'Zum Starten berühren',
    consent: 'Ich bin einverstanden, dass aus meinem Foto dieses Bild gemacht wird.',
    thanks: 'Einen schönen Abend',
  },
};

type Offers = Awaited<ReturnType<typeof chooseOffers>>;

/** Four filters for one guest and one for a group. */
async function chooseOffers(guise: Guise) {
  const filters = await guise.catalogs.list('face_swap');
  const single = [0, 3, 7, 12].map((at) => {
    const { id, name } = filters[at % filters.length]!;
    return { id: `scene-${id}`, kind: 'single' as const, filter_id: Number(id), labels: { en: name } };
  });
  const [, style] = await guise.catalogs.list('realistic');
  const group = {
    id: 'together',
    kind: 'group' as const,
    filter_id: Number(style!.id),
    labels: { en: style!.name },
  };
  return { single, group };
}

/** Two booths that report themselves until the process ends. */
async function startBooths(url: string, guise: Guise, eventId: string): Promise<Guise[]> {
  const stations = [
    { name: 'Foyer, left of the door', prints: 31 },
    { name: 'Garden', prints: 12, waiting_photos: 2 },
  ];
  const booths: Guise[] = [];
  for (const station of stations) {
    const { secret } = await guise.events.createKey(eventId, { name: station.name });
    const booth = new Guise({ baseUrl: url, apiKey: secret });
    const report = { station: randomUUID(), page_version: '0.2.0', ...station };
    await booth.booth.report(report);
    setInterval(() => void booth.booth.report(report).catch(() => {}), 15_000).unref();
    booths.push(booth);
  }
  return booths;
}

/** Six guests, at one booth after the other. */
async function takePictures(booths: readonly Guise[], { single, group }: Offers): Promise<void> {
  const photos = ['astronaut', 'astronaut-head', 'astronaut', 'astronaut-head', 'two-people', 'astronaut'];
  for (const [at, photo] of photos.entries()) {
    const { booth } = booths[at % booths.length]!;
    const { id } = await booth.submit({
      guest: randomUUID(),
      offer_id: photo === 'two-people' ? group.id : single[at % single.length]!.id,
      image: sample(photo),
      consent: { version: 1, language: 'en', answers: { wall: at !== 3 } },
    });
    await booth.job(id, 60);
  }
}

async function eraseOne(url: string, guise: Guise): Promise<string> {
  const offers = [{ id: 'one', kind: 'single' as const, filter_id: 1, labels: { en: 'One' } }];
  const event = await guise.events.create({
    name: 'Spring fair',
    starts_at: inHours(-48),
    ends_at: inHours(1),
    offers,
  });
  const { secret } = await guise.events.createKey(event.id, { name: 'Hall 3' });
  const booth = new Guise({ baseUrl: url, apiKey: secret });
  const image = sample('astronaut');
  const { id } = await booth.booth.submit({ guest: randomUUID(), offer_id: 'one', image });
  await booth.booth.job(id, 60);
  await guise.events.erase(event.id);
  return event.id;
}

/** Lines along the border and a name below, as a printer would set them. */
async function frame(): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1800">
    <rect x="30" y="30" width="1140" height="1740" fill="none" stroke="#ffb000" stroke-width="10"/>
    <rect y="1630" width="1200" height="170" fill="#10243a"/>
    <text x="600" y="1740" font-family="sans-serif" font-size="84" fill="#fff" text-anchor="middle">Lakeside 2026</text>
  </svg>`;
  return (await sharp(Buffer.from(svg)).png().toBuffer()).toString('base64');
}
