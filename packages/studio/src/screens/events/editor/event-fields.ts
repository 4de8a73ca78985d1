import type { BoothEvent, NewBoothEventInput } from '@guise/contract/events/events.ts';
import type { PrintTemplate } from '@guise/contract/events/print-template.ts';
import { language } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import { localTimeOf, timeOfLocal } from './zoned-time.ts';

type OfferInput = NonNullable<NewBoothEventInput['offers']>[number];
type VideoOffer = Extract<OfferInput, { kind: 'video' }>;
type PortraitOffer = Extract<OfferInput, { kind: 'living_portrait' }>;
export type OfferKind = OfferInput['kind'];
export type Ratio = NonNullable<NewBoothEventInput['ratios']>[number];
export type WallMode = BoothEvent['wall'];
export type GalleryMode = BoothEvent['gallery'];
export type PrintLayout = NonNullable<NonNullable<NewBoothEventInput['branding']>['print_layout']>;

/** An offer as it is edited. What does not belong to its kind is kept, and not sent. */
export interface OfferFields {
  id: string;
  kind: OfferKind;
  /** An integer of a catalog, or the UUID of a custom filter or an alias. */
  filter: string;
  prompt: string;
  model: VideoOffer['model'];
  duration: VideoOffer['duration'];
  aspect: NonNullable<VideoOffer['aspect_ratio']>;
  catalog: NonNullable<PortraitOffer['catalog']>;
  /** As the form has them: of one round of a living portrait. */
  seconds: string;
  loop: NonNullable<PortraitOffer['loop']>;
  /** Photos of one touch. */
  shots: string;
  /** Filters that the same photo is made with besides; empty ones are not chosen yet. */
  variations: string[];
  labels: Record<string, string>;
}

/** What an offer has before anything of it is chosen. */
export const newOfferFields: Omit<OfferFields, 'id' | 'labels'> = {
  kind: 'single',
  filter: '',
  prompt: '',
  model: 'simple',
  duration: '4s',
  aspect: 'auto',
  catalog: 'face_swap',
  seconds: '3',
  loop: 'ping_pong',
  shots: '1',
  variations: [],
};

export interface QuestionFields {
  id: string;
  required: boolean;
  labels: Record<string, string>;
}

/** Something that guests are asked for, as it is edited. What does not belong to its kind is kept, and not sent. */
export interface DetailFields {
  id: string;
  kind: 'text' | 'number' | 'choice';
  required: boolean;
  labels: Record<string, string>;
  letters: string;
  least: string;
  most: string;
  choices: { id: string; labels: Record<string, string> }[];
}

export const newDetailFields: Omit<DetailFields, 'id' | 'labels'> = {
  kind: 'text',
  required: false,
  letters: '30',
  least: '0',
  most: '99',
  choices: [],
};

type Branding = NonNullable<NewBoothEventInput['branding']>;
export type OverlayTexts = NonNullable<Branding['overlay_texts']>;
type LookFields = Pick<
  EventFields,
  'background' | 'text' | 'accent' | 'printLayout' | 'printCode' | 'template' | 'overlayTexts'
>;

/** An event as its form has it: times in its own zone, numbers as they are typed. */
export interface EventFields {
  name: string;
  zone: string;
  begins: string;
  ends: string;
  offers: OfferFields[];
  safeOffer: string;
  ratios: Ratio[];
  budget: string;
  pictures: string;
  tries: string;
  hours: string;
  /** The first is the one that booths start with. Texts of a language that was taken out are kept until the form is left. */
  languages: string[];
  texts: Record<string, { welcome: string; consent: string; thanks: string }>;
  questions: QuestionFields[];
  details: DetailFields[];
  /** One in each line. */
  blockedWords: string;
  moments: boolean;
  overlayTexts: OverlayTexts;
  background: string;
  text: string;
  accent: string;
  printLayout: PrintLayout | '';
  printCode: boolean;
  /** Null for the usual places. */
  template: PrintTemplate | null;
  /** Empty where booths print by their browsers. */
  printerId: string;
  prints: string;
  printLimit: string;
  hasMail: boolean;
  mailTexts: Record<string, { subject: string; text: string }>;
  mailAttach: boolean;
  wall: WallMode;
  gallery: GalleryMode;
  /** Empty where it stays as it is: the server does not show it. */
  password: string;
  webhookUrl: string;
  hostedEngines: boolean;
}

export const noTexts = { welcome: '', consent: '', thanks: '' };
const hourMs = 3600_000;

/** A new event: this evening from the next full hour, for the zone of this browser. */
export function newEventFields(now = Date.now()): EventFields {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const begins = Math.ceil(now / hourMs) * hourMs;
  return {
    name: '',
    zone,
    begins: localTimeOf(begins, zone),
    ends: localTimeOf(begins + 8 * hourMs, zone),
    offers: [],
    safeOffer: '',
    ratios: ['portrait'],
    budget: '',
    pictures: '3',
    tries: '5',
    hours: '48',
    languages: [language],
    texts: {
      [language]: {
        welcome: say('Touch to start'),
        consent: say('I agree that my photo is used to make this picture.'),
        thanks: say('Thank you, and enjoy the evening.'),
      },
    },
    questions: [],
    details: [],
    blockedWords: '',
    moments: false,
    overlayTexts: [],
    background: '',
    text: '',
    accent: '',
    printLayout: '',
    printCode: true,
    template: null,
    printerId: '',
    prints: '',
    printLimit: '',
    hasMail: false,
    mailTexts: {},
    mailAttach: true,
    wall: 'off',
    gallery: 'off',
    password: '',
    webhookUrl: '',
    hostedEngines: false,
  };
}

export function fieldsOfEvent(event: BoothEvent): EventFields {
  const { branding } = event;
  const languages = new Set([
    ...Object.keys(event.texts),
    ...[...event.offers, ...event.questions, ...event.details].flatMap(({ labels }) => Object.keys(labels)),
  ]);
  return {
    name: event.name,
    zone: event.time_zone,
    begins: localTimeOf(Date.parse(event.starts_at), event.time_zone),
    ends: localTimeOf(Date.parse(event.ends_at), event.time_zone),
    offers: event.offers.map(({ id, kind, labels, ...offer }) => ({
      id,
      kind,
      labels,
      filter: String(offer.filter_id ?? ''),
      prompt: offer.prompt ?? '',
      model: (offer.model ?? 'simple') as OfferFields['model'],
      duration: (offer.duration ?? '4s') as OfferFields['duration'],
      aspect: (offer.aspect_ratio ?? 'auto') as OfferFields['aspect'],
      catalog: (offer.catalog ?? 'face_swap') as OfferFields['catalog'],
      seconds: String(offer.seconds ?? 3),
      loop: (offer.loop ?? 'ping_pong') as OfferFields['loop'],
      shots: String(offer.shots ?? 1),
      variations: (offer.variations ?? []).map(String),
    })),
    safeOffer: event.safe_offer ?? '',
    ratios: event.ratios,
    budget: textOf(event.budget),
    pictures: textOf(event.pictures_per_guest),
    tries: textOf(event.tries_per_guest),
    hours: textOf(event.result_hours),
    languages: languages.size > 0 ? [...languages] : ['en'],
    texts: event.texts,
    questions: event.questions,
    details: event.details.map(({ letters, least, most, choices, ...detail }) => ({
      ...detail,
      letters: String(letters ?? newDetailFields.letters),
      least: String(least ?? newDetailFields.least),
      most: String(most ?? newDetailFields.most),
      choices: choices ?? [],
    })),
    blockedWords: event.blocked_words.join('\n'),
    moments: event.moments,
    overlayTexts: branding.overlay_texts ?? [],
    background: branding.background ?? '',
    text: branding.text ?? '',
    accent: branding.accent ?? '',
    printLayout: branding.print_layout ?? '',
    printCode: branding.print_code ?? false,
    template: branding.print_template ?? null,
    printerId: event.printer_id ?? '',
    prints: textOf(event.prints_per_guest),
    printLimit: textOf(event.print_limit),
    hasMail: event.mail !== null,
    mailTexts: event.mail?.texts ?? {},
    mailAttach: event.mail?.attach ?? true,
    wall: event.wall,
    gallery: event.gallery,
    password: '',
    webhookUrl: event.webhook_url ?? '',
    hostedEngines: event.hosted_engines,
  };
}

/** What is sent of the form. Times that were checked before are there. */
export function bodyOfFields(fields: EventFields): NewBoothEventInput {
  const { zone, languages, texts } = fields;
  const time = (local: string) => new Date(timeOfLocal(local, zone) ?? Number.NaN);
  const labelsOf = (labels: Record<string, string>) =>
    Object.fromEntries(
      languages.flatMap((language) => {
        const label = labels[language]?.trim();
        return label ? [[language, label]] : [];
      }),
    );
  return {
    name: fields.name.trim(),
    time_zone: zone,
    starts_at: time(fields.begins).toISOString(),
    ends_at: time(fields.ends).toISOString(),
    offers: fields.offers.map((offer) => offerOf(offer, labelsOf(offer.labels))),
    // An offer that was removed is not the safe one any more.
    safe_offer: fields.offers.some(({ id }) => id === fields.safeOffer) ? fields.safeOffer : null,
    ratios: fields.ratios,
    budget: numberOf(fields.budget),
    pictures_per_guest: numberOf(fields.pictures),
    tries_per_guest: numberOf(fields.tries),
    result_hours: numberOf(fields.hours),
    texts: Object.fromEntries(languages.map((language) => [language, texts[language] ?? noTexts])),
    questions: fields.questions.map(({ id, required, labels }) => ({
      id,
      required,
      labels: labelsOf(labels),
    })),
    details: fields.details.map((detail) => detailOf(detail, labelsOf)),
    blocked_words: fields.blockedWords
      .split('\n')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
    moments: fields.moments,
    branding: brandingOf(fields),
    printer_id: fields.printerId || null,
    prints_per_guest: numberOf(fields.prints),
    print_limit: numberOf(fields.printLimit),
    mail: mailOf(fields),
    wall: fields.wall,
    gallery: fields.gallery,
    webhook_url: fields.webhookUrl.trim() || null,
    hosted_engines: fields.hostedEngines,
    ...(fields.gallery === 'password' && fields.password && { gallery_password: fields.password }),
  };
}

export function brandingOf({
  background,
  text,
  accent,
  printLayout,
  printCode,
  template,
  overlayTexts,
}: LookFields): Branding {
  const layout = template?.paper ?? printLayout;
  const written = overlayTexts.filter((one) => one.text.trim() !== '');
  return {
    ...(background && { background }),
    ...(text && { text }),
    ...(accent && { accent }),
    ...(layout && { print_layout: layout }),
    ...(printCode && { print_code: true }),
    ...(template && { print_template: template }),
    ...(written.length > 0 && { overlay_texts: written }),
  };
}

/** Null where no language has a subject: a mail without one is not sent. */
function mailOf({ hasMail, mailTexts, mailAttach, languages }: EventFields): NewBoothEventInput['mail'] {
  const written = languages.flatMap((language) => {
    const { subject = '', text = '' } = mailTexts[language] ?? {};
    return subject.trim() ? [[language, { subject: subject.trim(), text: text.trim() }] as const] : [];
  });
  return hasMail && written.length > 0 ? { texts: Object.fromEntries(written), attach: mailAttach } : null;
}

function detailOf(
  { id, kind, required, labels, letters, least, most, choices }: DetailFields,
  labelsOf: (labels: Record<string, string>) => Record<string, string>,
): NonNullable<NewBoothEventInput['details']>[number] {
  const asked = { id, required, labels: labelsOf(labels) };
  if (kind === 'number') return { ...asked, kind, least: Number(least), most: Number(most) };
  if (kind === 'text') return { ...asked, kind, letters: Number(letters) };
  return {
    ...asked,
    kind,
    choices: choices.map((choice) => ({ id: choice.id, labels: labelsOf(choice.labels) })),
  };
}

const filterRefOf = (filter: string) => (/^\d+$/.test(filter) ? Number(filter) : filter);

function offerOf(offer: OfferFields, labels: Record<string, string>): OfferInput {
  const { id, kind, filter, prompt, model, duration, aspect } = offer;
  const filter_id = filterRefOf(filter);
  const shots = Number(offer.shots);
  if (kind === 'living_portrait') {
    const { catalog, loop } = offer;
    return { id, kind, labels, filter_id, catalog, loop, seconds: Number(offer.seconds) };
  }
  if (kind === 'prompt') return { id, kind, labels, prompt: prompt.trim(), catalog: offer.catalog, shots };
  if (kind !== 'video') {
    const variations = shots > 1 ? [] : offer.variations.filter((ref) => ref !== '').map(filterRefOf);
    return { id, kind, labels, filter_id, shots, variations };
  }
  return {
    id,
    kind,
    labels,
    prompt: prompt.trim(),
    model,
    duration: model === 'simple' ? '4s' : duration,
    aspect_ratio: model === 'performance' ? aspect : 'auto',
  };
}

/** What of the form differs from the event as it was read: what was not touched is not sent. */
export function changesOf(before: EventFields, now: EventFields): Partial<NewBoothEventInput> {
  const old = bodyOfFields(before) as Record<string, unknown>;
  const changed = Object.entries(bodyOfFields(now)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name]),
  );
  return Object.fromEntries(changed);
}

const textOf = (value: number | null): string => (value === null ? '' : String(value));
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** A name for an offer or a question that stays when its label changes. */
export function slugOf(name: string, taken: readonly { id: string }[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 34);
  const base = plain || 'offer';
  const isTaken = (id: string) => taken.some((entry) => entry.id === id);
  let id = base;
  for (let at = 2; isTaken(id); at++) id = `${base}-${at}`;
  return id;
}
