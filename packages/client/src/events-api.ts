import type { Ratio } from '@guise/contract/common.ts';
import type { EventErasure } from '@guise/contract/events/erasure.ts';
import type { EventDraft, NewEventDraftInput } from '@guise/contract/events/event-drafts.ts';
import type {
  Booth,
  BoothPicture,
  EventLinks,
  GuestPage,
  NewEventJobInput,
  NewMoment,
  PhotoCheck,
  PhotoToCheck,
  PrintQueryInput,
  SharedPictures,
  StartedEventJob,
  UnlockedGallery,
} from '@guise/contract/events/event-guests.ts';
import type {
  BoothEvent,
  BoothEventChangeInput,
  BoothEventList,
  EventJobEntry,
  EventJobList,
  EventPictureChange,
  NewBoothEventInput,
  NewEventKey,
  NewEventOverlay,
} from '@guise/contract/events/events.ts';
import type { EventMailList, GuestMail, NewMail, NewTextMessage } from '@guise/contract/events/mails.ts';
import type { Preflight } from '@guise/contract/events/preflight.ts';
import type {
  EventPrint,
  EventPrintList,
  NewEventPrintInput,
  NewPrinter,
  NewPrintPreview,
  Printer,
  PrinterList,
  PrintPreview,
} from '@guise/contract/events/prints.ts';
import type { NewStationReportInput, StationAnswer, StationList } from '@guise/contract/events/stations.ts';
import type { DraftGoLive } from '@guise/contract/filter-details.ts';
import type { JobArchive } from '@guise/contract/job-details.ts';
import type { CreatedKey } from '@guise/contract/keys.ts';
import type { RequestOptions, Transport } from './transport.ts';

const path = '/v1/events';
const ifMatch = (etag: string | undefined) => (etag ? { 'if-match': etag } : {});

async function readFile(
  transport: Transport,
  at: string,
  options: RequestOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await (await transport.open(at, options)).arrayBuffer());
}

type PageQuery = { cursor?: string | undefined; limit?: number };

/** Events of the account: what is offered, for how many credits, and what became of it. */
export const eventsApi = (transport: Transport) => ({
  list: (query: { cursor?: string | undefined; limit?: number } = {}, signal?: AbortSignal) =>
    transport.request<BoothEventList>('GET', path, { query, signal }),
  get: (id: string, signal?: AbortSignal) =>
    transport.requestTagged<BoothEvent>('GET', `${path}/${id}`, { signal }),
  create: (body: NewBoothEventInput, signal?: AbortSignal) =>
    transport.request<BoothEvent>('POST', path, { body, signal }),
  /** `etag` is the one of the event that was read: the call fails if somebody changed it meanwhile. */
  change: (id: string, body: BoothEventChangeInput, etag?: string, signal?: AbortSignal) =>
    transport.requestTagged<BoothEvent>('PATCH', `${path}/${id}`, { body, signal, headers: ifMatch(etag) }),
  /** What it is to become. Booths go on with the event as it is. */
  saveDraft: (id: string, body: NewEventDraftInput, signal?: AbortSignal) =>
    transport.requestTagged<BoothEvent>('PUT', `${path}/${id}/draft`, { body, signal }),
  draft: (id: string, signal?: AbortSignal) =>
    transport.request<EventDraft>('GET', `${path}/${id}/draft`, { signal }),
  /** Checks the filters that the draft adds. */
  checkDraft: (id: string, signal?: AbortSignal) =>
    transport.request<EventDraft>('POST', `${path}/${id}/draft/check`, { signal }),
  discardDraft: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `${path}/${id}/draft`, { signal }),
  makeLive: (
    id: string,
    body: Pick<DraftGoLive, 'number'> & Partial<DraftGoLive>,
    etag?: string,
    signal?: AbortSignal,
  ) =>
    transport.requestTagged<BoothEvent>('POST', `${path}/${id}/draft/live`, {
      body,
      signal,
      headers: ifMatch(etag),
    }),
  /** Takes the last change back that went live from a draft. */
  undo: (id: string, signal?: AbortSignal) =>
    transport.requestTagged<BoothEvent>('POST', `${path}/${id}/undo`, { signal }),
  /** Refused while it has anything of guests: `erase` comes first. */
  remove: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `${path}/${id}`, { signal }),
  /** A key for booths, which can do nothing else. The secret is in this answer only. */
  createKey: (id: string, body: NewEventKey, signal?: AbortSignal) =>
    transport.request<CreatedKey>('POST', `${path}/${id}/keys`, { body, signal }),
  /** A PNG with transparent parts, laid over pictures of this shape. Refused where it covers the part that faces are in. */
  putOverlay: (id: string, ratio: Ratio, body: NewEventOverlay, signal?: AbortSignal) =>
    transport.request<BoothEvent>('PUT', `${path}/${id}/overlays/${ratio}`, { body, signal }),
  removeOverlay: (id: string, ratio: Ratio, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `${path}/${id}/overlays/${ratio}`, { signal }),
  jobs: (id: string, query: { cursor?: string | undefined; limit?: number } = {}, signal?: AbortSignal) =>
    transport.request<EventJobList>('GET', `${path}/${id}/jobs`, { query, signal }),
  /** Approves a picture for the wall and the gallery, or hides it. */
  changePicture: (id: string, pictureId: string, body: EventPictureChange, signal?: AbortSignal) =>
    transport.request<EventJobEntry>('PATCH', `${path}/${id}/pictures/${pictureId}`, { body, signal }),
  /** Links to the wall and the gallery. */
  links: (id: string, signal?: AbortSignal) =>
    transport.request<EventLinks>('GET', `${path}/${id}/links`, { signal }),
  /** Makes the links anew: those before stop working. */
  rollLinks: (id: string, signal?: AbortSignal) =>
    transport.request<EventLinks>('POST', `${path}/${id}/links`, { signal }),
  /** Booths with their last sign of life, and how far the event’s jobs are. */
  stations: (id: string, signal?: AbortSignal) =>
    transport.request<StationList>('GET', `${path}/${id}/stations`, { signal }),
  /** Prints of the event, newest first. */
  prints: (id: string, query: PageQuery = {}, signal?: AbortSignal) =>
    transport.request<EventPrintList>('GET', `${path}/${id}/prints`, { query, signal }),
  /** Prints pictures of a guest, again too. No limit counts it. */
  print: (id: string, body: NewEventPrintInput, signal?: AbortSignal) =>
    transport.request<EventPrint>('POST', `${path}/${id}/prints`, { body, signal }),
  /** What a print with this look would be, with sample photos. */
  previewPrint: (body: NewPrintPreview, signal?: AbortSignal) =>
    transport.request<PrintPreview>('POST', '/v1/print_previews', { body, signal }),
  cancelPrint: (id: string, printId: string, signal?: AbortSignal) =>
    transport.request<EventPrint>('POST', `${path}/${id}/prints/${printId}/cancel`, { signal }),
  /** Mails to guests with their addresses, newest first. */
  mails: (id: string, query: PageQuery = {}, signal?: AbortSignal) =>
    transport.request<EventMailList>('GET', `${path}/${id}/mails`, { query, signal }),
  /** Whether everything is ready for the evening. */
  preflight: (id: string, signal?: AbortSignal) =>
    transport.request<Preflight>('GET', `${path}/${id}/preflight`, { signal }),
  /** A link to a zip file of all pictures but hidden ones. */
  archive: (id: string, signal?: AbortSignal) =>
    transport.request<JobArchive>('POST', `${path}/${id}/archive`, { signal }),
  /** Closes the event, erases everything of its guests and says what that was. */
  erase: (id: string, signal?: AbortSignal) =>
    transport.request<EventErasure>('POST', `${path}/${id}/erase`, { signal }),
});

/** What a booth does with the key of an event. */
export const boothApi = (transport: Transport) => ({
  get: (signal?: AbortSignal) => transport.request<Booth>('GET', '/v1/booth', { signal }),
  /** What is wrong with a photo for an offer, and where its faces are, before a job is spent on it. */
  checkPhoto: (body: PhotoToCheck, signal?: AbortSignal) =>
    transport.request<PhotoCheck>('POST', '/v1/booth/photo_checks', { body, signal }),
  /** With the same `idempotency-key` among the headers, a photo is submitted once. */
  submit: (body: NewEventJobInput, options: Pick<RequestOptions, 'signal' | 'onUpload' | 'headers'> = {}) =>
    transport.request<StartedEventJob>('POST', '/v1/booth/jobs', { body, ...options }),
  /** Answers when the job has ended, or how far it is after `waitSeconds`. */
  job: (id: string, waitSeconds: number, signal?: AbortSignal) =>
    transport.request<BoothPicture>('GET', `/v1/booth/jobs/${id}`, {
      headers: { prefer: `wait=${waitSeconds}` },
      signal,
    }),
  /** The quick shots of a photo as a small GIF, for the guest’s page. */
  putMoment: (id: string, body: NewMoment, signal?: AbortSignal) =>
    transport.request<void>('PUT', `/v1/booth/jobs/${id}/moment`, { body, signal }),
  /** The guest takes this variation: the others of the same touch are erased. */
  choose: (id: string, signal?: AbortSignal) =>
    transport.request<BoothPicture>('POST', `/v1/booth/jobs/${id}/choose`, { signal }),
  /** A sign of life, every 30 seconds or so; the answer says how the event is. */
  report: (body: NewStationReportInput, signal?: AbortSignal) =>
    transport.request<StationAnswer>('POST', '/v1/booth/station', { body, signal }),
  /** Prints on the printer of the event. With the same `idempotency-key` among the headers, it is printed once. */
  startPrint: (body: NewEventPrintInput, options: Pick<RequestOptions, 'signal' | 'headers'> = {}) =>
    transport.request<EventPrint>('POST', '/v1/booth/prints', { body, ...options }),
  printState: (id: string, signal?: AbortSignal) =>
    transport.request<EventPrint>('GET', `/v1/booth/prints/${id}`, { signal }),
  /** Sends a picture to an address that the guest gives, who agrees to that. */
  mail: (id: string, body: NewMail, signal?: AbortSignal) =>
    transport.request<GuestMail>('POST', `/v1/booth/jobs/${id}/mail`, { body, signal }),
  /** Asks the event’s webhook to send the link by SMS or WhatsApp. */
  message: (id: string, body: NewTextMessage, signal?: AbortSignal) =>
    transport.request<void>('POST', `/v1/booth/jobs/${id}/message`, { body, signal }),
  /** The file of a print: PNG at 300 dpi, or PDF. */
  print: (id: string, query: PrintQueryInput, signal?: AbortSignal) =>
    readFile(transport, `/v1/booth/jobs/${id}/print`, { query: { ...query }, signal }),
});

/** What the guest of an event does with the token of the guest's page: no key and no account are needed. */
export const eventGuestsApi = (transport: Transport) => ({
  get: (token: string, signal?: AbortSignal) =>
    transport.request<GuestPage>('GET', '/v1/guest', { headers: { 'x-guest-token': token }, signal }),
  /** The file of a print: PNG at 300 dpi, or PDF. */
  print: (token: string, id: string, query: PrintQueryInput, signal?: AbortSignal) =>
    readFile(transport, `/v1/guest/pictures/${id}/print`, {
      query: { ...query },
      headers: { 'x-guest-token': token },
      signal,
    }),
  /** Sends a picture to an address that the guest gives. */
  mail: (token: string, id: string, body: NewMail, signal?: AbortSignal) =>
    transport.request<GuestMail>('POST', `/v1/guest/pictures/${id}/mail`, {
      body,
      headers: { 'x-guest-token': token },
      signal,
    }),
  /** Asks the event’s webhook to send the link by SMS or WhatsApp. */
  message: (token: string, id: string, body: NewTextMessage, signal?: AbortSignal) =>
    transport.request<void>('POST', `/v1/guest/pictures/${id}/message`, {
      body,
      headers: { 'x-guest-token': token },
      signal,
    }),
  erasePictures: (token: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', '/v1/guest/pictures', { headers: { 'x-guest-token': token }, signal }),
  erasePicture: (token: string, id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/guest/pictures/${id}`, {
      headers: { 'x-guest-token': token },
      signal,
    }),
});

/** What a wall does with the token of its link: no key and no account are needed. */
export const wallsApi = (transport: Transport) => ({
  get: (token: string, query: PageQuery = {}, signal?: AbortSignal) =>
    transport.request<SharedPictures>('GET', '/v1/wall', {
      query,
      headers: { 'x-wall-token': token },
      signal,
    }),
});

/** What a gallery does with the token of its link, or with the one that its password gives. */
export const galleriesApi = (transport: Transport) => ({
  get: (token: string, query: PageQuery = {}, signal?: AbortSignal) =>
    transport.request<SharedPictures>('GET', '/v1/gallery', {
      query,
      headers: { 'x-gallery-token': token },
      signal,
    }),
  unlock: (token: string, password: string, signal?: AbortSignal) =>
    transport.request<UnlockedGallery>('POST', '/v1/gallery/unlock', {
      body: { password },
      headers: { 'x-gallery-token': token },
      signal,
    }),
});

/** Printers of the account, which events print on by IPP. */
export const printersApi = (transport: Transport) => ({
  list: (signal?: AbortSignal) => transport.request<PrinterList>('GET', '/v1/printers', { signal }),
  /** With what the printer says of itself now. */
  get: (id: string, signal?: AbortSignal) =>
    transport.request<Printer>('GET', `/v1/printers/${id}`, { signal }),
  /** Refused where no printer answers at the address. */
  add: (body: NewPrinter, signal?: AbortSignal) =>
    transport.request<Printer>('POST', '/v1/printers', { body, signal }),
  remove: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/printers/${id}`, { signal }),
  /** Prints a sample picture. */
  test: (id: string, signal?: AbortSignal) =>
    transport.request<Printer>('POST', `/v1/printers/${id}/test`, { signal }),
});
