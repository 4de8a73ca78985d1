import { Ratio } from '@guise/contract/common.ts';
import { usualLayoutOf } from '@guise/contract/events/events.ts';
import type { Preflight, PreflightCheck, PreflightState } from '@guise/contract/events/preflight.ts';
import { mostStations, silentAfterMs } from '@guise/contract/events/stations.ts';
import type { SubmitParts } from '../jobs/submit.ts';
import { askPrinter, paperNames, paperWords } from '../printing/printer.ts';
import { findAccount } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import { listEventOverlays } from '../store/events/event-overlay-records.ts';
import type { EventRow, StationRow } from '../store/events/event-schema.ts';
import { findPrinter } from '../store/events/print-records.ts';
import { listStations } from '../store/events/station-records.ts';
import { findSetting, putSetting } from '../store/settings.ts';
import { boothKindOf, offerPrice, runOf } from './event-offers.ts';
import { settingsOf } from './event-settings.ts';
import { eventStateOf } from './event-state.ts';
import { addressOf, type PrinterParts } from './printing/printers.ts';

export interface PreflightParts extends PrinterParts, Pick<SubmitParts, 'prices'> {
  hasMail: boolean;
  /** Families whose engines are all away. */
  unavailableFamilies(): Promise<string[]>;
  /** Bytes that are left for photos and results; null where they are in a bucket. */
  freeBytes(): Promise<number | null>;
}

/** Where guests reach the server, and whether other machines do. */
export interface ReachedAt {
  url: string;
  isLocal: boolean;
}

type Found = Omit<PreflightCheck, 'part'>;
type Settings = ReturnType<typeof settingsOf>;

const found = (state: PreflightState, sentence: string, remedy: string | null = null): Found => ({
  state,
  sentence,
  remedy,
});

/** Fewer guests than this are a small evening, which may be meant so. */
const fewGuests = 20;
/** A picture with its photo and thumbnail takes some 8 MB. */
const pictureBytes = 8e6;
const phoneSetting = (eventId: string) => `phone_check ${eventId}`;
const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Notes that a phone has opened the address for guests. */
export async function notePhone(db: Db, eventId: string, baseUrl: string): Promise<void> {
  await db.run(putSetting, { name: phoneSetting(eventId), value: baseUrl });
}

/** Looks at everything that an evening needs. */
export async function readPreflight(
  parts: PreflightParts,
  event: EventRow,
  reached: ReachedAt,
  phoneUrl: string,
): Promise<Preflight> {
  const settings = settingsOf(event);
  const checks: PreflightCheck[] = [
    { part: 'address', ...(await checkAddress(parts.db, event, reached)) },
    { part: 'window', ...checkWindow(event, parts.db.now()) },
    { part: 'offers', ...(await checkOffersMade(parts, settings)) },
    { part: 'overlays', ...(await checkOverlays(parts.db, event, settings)) },
    { part: 'labels', ...checkLabels(settings) },
    { part: 'budget', ...(await checkBudget(parts, event, settings)) },
    { part: 'storage', ...(await checkStorage(parts)) },
    { part: 'printer', ...(await checkPrinter(parts, event, settings)) },
    { part: 'mail', ...checkMail(parts, settings) },
    { part: 'stations', ...(await checkStations(parts.db, event)) },
  ];
  const worst = (['red', 'amber'] as const).find((state) => checks.some((check) => check.state === state));
  return { state: worst ?? 'green', checks, phone_url: phoneUrl };
}

/** The parts of an evening that follow from each field of an event. */
const partsOfFields: Readonly<Record<string, readonly PreflightCheck['part'][]>> = {
  offers: ['offers', 'overlays', 'labels', 'budget'],
  safe_offer: ['offers'],
  ratios: ['overlays'],
  texts: ['labels'],
  questions: ['labels'],
  budget: ['budget'],
  pictures_per_guest: ['budget'],
  printer_id: ['printer'],
  mail: ['labels', 'mail'],
};

/** Looks at what follows from these fields of an event. */
export async function readDraftPreflight(
  parts: PreflightParts,
  event: EventRow,
  fields: readonly string[],
): Promise<PreflightCheck[]> {
  const settings = settingsOf(event);
  const wanted = new Set(fields.flatMap((field) => partsOfFields[field] ?? []));
  const looks: Partial<Record<PreflightCheck['part'], () => Found | Promise<Found>>> = {
    offers: () => checkOffersMade(parts, settings),
    overlays: () => checkOverlays(parts.db, event, settings),
    labels: () => checkLabels(settings),
    budget: () => checkBudget(parts, event, settings),
    printer: () => checkPrinter(parts, event, settings),
    mail: () => checkMail(parts, settings),
  };
  const checks: PreflightCheck[] = [];
  for (const part of wanted) {
    const look = looks[part];
    if (look) checks.push({ part, ...(await look()) });
  }
  return checks;
}

async function checkAddress(db: Db, { id }: EventRow, { url, isLocal }: ReachedAt): Promise<Found> {
  if (isLocal)
    return found(
      'red',
      `The codes of guests lead to ${url}, which only this machine reaches.`,
      'Set the address for guests, or GUISE_PUBLIC_URL, to one that phones reach.',
    );
  const seen = (await db.one(findSetting, { name: phoneSetting(id) }))?.value;
  return seen === url
    ? found('green', `A phone has opened ${url}.`)
    : found(
        'amber',
        `No phone has opened ${url} yet.`,
        'Scan the code with a phone in the network of the guests.',
      );
}

function checkWindow(event: EventRow, now: number): Found {
  const state = eventStateOf(event, now);
  if (state === 'ended' || state === 'erased')
    return found('red', 'The event has ended.', 'Change its times, or open it again.');
  if (state === 'paused') return found('amber', 'The event is paused.', 'Go on before guests come.');
  return found(
    'green',
    state === 'planned' ? 'The event opens by itself at its time.' : 'The event is open.',
  );
}

/** In one of its languages. */
const shownName = ({ id, labels }: Pick<Settings['offers'][number], 'id' | 'labels'>) =>
  `“${Object.values(labels)[0] ?? id}”`;

async function checkOffersMade(parts: PreflightParts, { offers, safe_offer }: Settings): Promise<Found> {
  if (offers.length === 0) return found('red', 'Nothing is offered.', 'Add a style or a video.');
  const away = new Set(await parts.unavailableFamilies());
  const stuck = offers.filter((offer) => away.has(runOf(offer, {}).family.name));
  if (stuck.length > 0)
    return found(
      'red',
      `The engine of ${plural(stuck.length, 'offer', 'offers')} is away: ${stuck.map(shownName).join(', ')}.`,
      'Start its GPU server, or take the offer out. The operator’s page shows the servers.',
    );
  if (safe_offer === null)
    return found(
      'amber',
      'All offers can be made; there is no safe offer.',
      'Choose one to switch to in an emergency.',
    );
  return found('green', `${plural(offers.length, 'offer', 'offers')}, each with an engine.`);
}

async function checkOverlays(db: Db, { id }: EventRow, { ratios, offers }: Settings): Promise<Found> {
  const rows = await db.all(listEventOverlays, { event_id: id });
  const missingOf = (wanted: readonly Ratio[]) =>
    wanted.filter((ratio) => !rows.some((row) => row.ratio === ratio));
  if (rows.length === 0) return found('green', 'Pictures have no overlay.');
  const missing = missingOf(ratios);
  if (missing.length > 0)
    return found(
      'amber',
      `There is no overlay for: ${missing.join(', ')}.`,
      'Upload one for each shape that is offered.',
    );
  const ofPhotos = offers.some((offer) => photoShaped.has(boothKindOf(offer)))
    ? missingOf(Ratio.options)
    : [];
  return ofPhotos.length === 0
    ? found('green', 'There is an overlay for every shape.')
    : found(
        'amber',
        `Pictures of groups and stylized ones have the shape of their photo, and there is no overlay for: ${ofPhotos.join(', ')}. They are cropped to another shape where all heads fit, and have none where they do not.`,
        'Upload one for each shape.',
      );
}

/** Kinds of offers whose pictures have the shape of the guest's photo. */
const photoShaped: ReadonlySet<string> = new Set(['group', 'stylized']);

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const nameOf = (language: string) => languageNames.of(language) ?? language;

function checkLabels({ texts, offers, questions, mail }: Settings): Found {
  const languages = Object.keys(texts);
  if (languages.length === 0)
    return found('amber', 'The event has no texts of its own.', 'Write a welcome and a consent.');
  const hasConsent = languages.some((language) => texts[language]!.consent !== '');
  const unasked = languages.filter((language) => hasConsent && texts[language]!.consent === '');
  if (unasked.length > 0)
    return found(
      'amber',
      `There is no consent text in ${listed(unasked.map(nameOf))}. Booths offer only languages that have one.`,
      'Write it in the event’s form, or remove the language.',
    );
  const missing = languages.flatMap((language) => {
    const unlabelled = [...offers, ...questions].filter(({ labels }) => !labels[language]);
    const names = unlabelled.map(shownName);
    if (mail && !mail.texts[language]) names.push('the mail');
    return names.length > 0 ? [`${nameOf(language)}: ${listed(shortened(names))}`] : [];
  });
  return missing.length === 0
    ? found('green', `Everything is labelled in ${listed(languages.map(nameOf))}.`)
    : found('amber', `Labels are missing in ${missing.join('; ')}.`, 'Add them in the event’s form.');
}

const mostNamed = 4;

function shortened(names: readonly string[]): string[] {
  if (names.length <= mostNamed + 1) return [...names];
  return [...names.slice(0, mostNamed), `${names.length - mostNamed} more`];
}

const listed = (names: readonly string[]) => new Intl.ListFormat('en').format(names);

async function checkBudget(parts: PreflightParts, event: EventRow, { offers }: Settings): Promise<Found> {
  if (offers.length === 0) return found('amber', 'Without offers nothing can be counted.');
  const credits = (await parts.db.one(findAccount, { id: event.account_id }))?.balance ?? 0;
  const left = Math.min(event.budget === null ? Infinity : event.budget - event.spent, credits);
  const dearest = Math.max(1, ...offers.map((offer) => offerPrice(parts.prices, offer)));
  const guests = Math.floor(left / (dearest * (event.pictures_per_guest ?? 1)));
  const sentence = `${plural(left, 'credit is', 'credits are')} enough for ${plural(guests, 'guest', 'guests')} with the dearest offer.`;
  if (guests === 0) return found('red', sentence, 'Raise the budget, or grant the account credits.');
  return guests < fewGuests
    ? found('amber', sentence, 'Raise the budget if more guests come.')
    : found('green', sentence);
}

async function checkStorage({ freeBytes }: PreflightParts): Promise<Found> {
  const free = await freeBytes();
  if (free === null) return found('green', 'Pictures are kept in a bucket.');
  const pictures = Math.floor(free / pictureBytes);
  const sentence = `${(free / 1e9).toFixed(1)} GB are free, for about ${pictures} pictures.`;
  if (pictures < 100) return found('red', sentence, 'Make room on the disk of the data folder.');
  return pictures < 1000
    ? found('amber', sentence, 'Make room before a large evening.')
    : found('green', sentence);
}

async function checkPrinter(parts: PreflightParts, event: EventRow, settings: Settings): Promise<Found> {
  const { printer_id, branding } = settings;
  if (printer_id === null) return found('green', 'Booths print by their browsers.');
  const row = await parts.db.one(findPrinter, { id: printer_id, account_id: event.account_id });
  if (!row) return found('red', 'The printer of the event was removed.', 'Choose another one.');
  const { report } = await askPrinter(parts.callPrinter, addressOf(row));
  const said = report.problems.join(' ');
  if (report.state === 'unreachable' || report.state === 'stopped')
    return found('red', `${row.name}: ${said}`, 'Go to the printer, and print a test page.');
  const paper = paperNames[usualLayoutOf(branding)];
  if (report.papers.length > 0 && !report.papers.includes(paper))
    return found(
      'amber',
      `${row.name} does not say that paper of ${paperWords[usualLayoutOf(branding)]} is loaded.`,
      'Load it, and print a test page.',
    );
  if (said !== '') return found('amber', `${row.name}: ${said}`, 'Go to the printer, and print a test page.');
  return found('green', `${row.name} is ready. Print a test page to be sure of the paper.`);
}

function checkMail({ hasMail }: PreflightParts, { mail }: Settings): Found {
  if (mail === null) return found('green', 'No mail is sent to guests.');
  return hasMail
    ? found('green', 'Mail is set up. Send a test mail to be sure.')
    : found(
        'red',
        'Guests are offered mail, and the installation has no mail server.',
        'Set GUISE_SMTP_URL and GUISE_MAIL_FROM.',
      );
}

const cameraWords: Readonly<Record<string, string>> = {
  denied: 'may not use its camera',
  missing: 'has no camera',
  insecure: 'is not opened by https, so that its browser gives no camera',
};

async function checkStations(db: Db, { id }: EventRow): Promise<Found> {
  const rows = await db.all(listStations, { event_id: id, limit: mostStations });
  if (rows.length === 0)
    return found('amber', 'No booth has reported.', 'Make a key, and open its link on the tablet.');
  const now = db.now();
  const nameOf = ({ name }: StationRow) => name;
  const blind = rows.filter(({ camera }) => camera !== null && camera !== 'ready');
  if (blind.length > 0)
    return found(
      'red',
      blind.map(({ name, camera }) => `${name} ${cameraWords[camera!]}.`).join(' '),
      'Allow the camera in the browser of the booth, or connect one.',
    );
  const silent = rows.filter(({ last_seen_at }) => now - last_seen_at > silentAfterMs);
  return silent.length > 0
    ? found('amber', `Nothing is heard from: ${silent.map(nameOf).join(', ')}.`, 'Switch the booth on.')
    : found(
        'green',
        `${plural(rows.length, 'booth is', 'booths are')} there: ${rows.map(nameOf).join(', ')}.`,
      );
}
