import {
  EventPrint,
  EventPrintList,
  NewEventPrint,
  NewPrinter,
  NewPrintPreview,
  Printer,
  PrinterList,
  PrintPreview,
} from '@guise/contract/events/prints.ts';
import { Page } from '@guise/contract/jobs.ts';
import { toManageOthers } from '../../../accounts/authority.ts';
import { eventNotFound } from '../../../events/event-state.ts';
import { createPrint, readPrint, readPrints, stopPrint } from '../../../events/printing/event-prints.ts';
import { previewPrint } from '../../../events/printing/preview-print.ts';
import {
  addPrinter,
  printTestPage,
  readPrinter,
  readPrinters,
  removePrinter,
} from '../../../events/printing/printers.ts';
import { createOnce } from '../../../jobs/create-once.ts';
import { findEvent } from '../../../store/events/event-records.ts';
import type { EventRow } from '../../../store/events/event-schema.ts';
import { prints } from '../../../store/events/print-records.ts';
import { guestBaseUrlOf } from '../../access/guest-address.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, disconnectSignal, eventOfBooth, idOf } from '../../request.ts';
import { json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';
import { idempotencyOf } from '../submit-run.ts';

const read = { scopes: ['read'], tag: 'Printers' } as const;
const manage = { scopes: ['manage'], authority: toManageOthers, tag: 'Printers' } as const;
const booth = { access: 'booth', scopes: [], tag: 'Booth' } as const;

const ownOf = (request: RouteRequest) => ({ id: idOf(request), account_id: callerOf(request).id });

/** A print of an event, once for each `Idempotency-Key`. */
async function startPrint(
  parts: HttpParts,
  request: RouteRequest<NewEventPrint>,
  event: EventRow,
): Promise<EventPrint> {
  const { key_id } = callerOf(request);
  const isBooth = request.eventOfBooth !== null;
  const baseUrl = await guestBaseUrlOf(parts, request);
  return createOnce(parts.db, {
    accountId: event.account_id,
    idempotency: idempotencyOf(request),
    create: (keepKey) =>
      createPrint(parts, {
        event,
        by: isBooth ? { keyId: key_id } : 'account',
        baseUrl,
        wanted: request.body,
        keepKey,
      }),
    find: async (id) => {
      const row = await parts.db.one(prints.find, { id, event_id: event.id });
      return readPrint(parts.db, event, id, row?.key_id ?? null);
    },
  });
}

export const printRoutes: Route[] = [
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/printers',
    operation: 'listPrinters',
    summary: 'Printers of the caller, by name',
    success: ok(PrinterList),
    handle: (parts, request) => readPrinters(parts.db, callerOf(request).id),
  },
  route({
    ...json,
    ...manage,
    method: 'POST',
    path: '/v1/printers',
    operation: 'addPrinter',
    summary: 'Add a printer by its IPP address, which has to answer',
    body: NewPrinter,
    counted: 'tests',
    success: { status: 201, shape: Printer },
    handle: (parts, request) => {
      const { id: accountId, scopes } = callerOf(request);
      return addPrinter(parts, { accountId, isOperator: scopes.includes('operator') }, request.body);
    },
  }),
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/printers/{id}',
    operation: 'readPrinter',
    summary: 'A printer, with what it says of itself now',
    counted: 'tests',
    success: ok(Printer),
    handle: (parts, request) => readPrinter(parts, ownOf(request)),
  },
  {
    ...none,
    ...manage,
    method: 'DELETE',
    path: '/v1/printers/{id}',
    operation: 'removePrinter',
    summary: 'Remove a printer: prints that wait for it fail',
    success: { status: 204 },
    handle: (parts, request) => removePrinter(parts.db, ownOf(request)),
  },
  {
    ...none,
    ...manage,
    method: 'POST',
    path: '/v1/printers/{id}/test',
    operation: 'printTestPage',
    summary: 'Print a sample picture on 4×6',
    counted: 'tests',
    success: ok(Printer),
    handle: (parts, request, reply) => printTestPage(parts, ownOf(request), disconnectSignal(reply)),
  },
  route({
    ...json,
    ...read,
    tag: 'Events',
    method: 'POST',
    path: '/v1/print_previews',
    operation: 'previewPrint',
    summary: 'What a print with this look would be, with sample photos',
    body: NewPrintPreview,
    countedPerCredential: 'print_previews',
    success: ok(PrintPreview),
    handle: async (parts, request, reply) => {
      const accountId = callerOf(request).id;
      const code = `${await guestBaseUrlOf(parts, request)}/g/${'x'.repeat(43)}`;
      const signal = disconnectSignal(reply);
      const bytes = await previewPrint(parts, request.body, { accountId, code, signal });
      return { image: bytes.toString('base64') };
    },
  }),
  route({
    ...none,
    ...read,
    tag: 'Events',
    method: 'GET',
    path: '/v1/events/{id}/prints',
    operation: 'listEventPrints',
    summary: 'Prints of an event, newest first',
    query: Page,
    success: ok(EventPrintList),
    handle: (parts, request) => readPrints(parts.db, ownOf(request), request.query),
  }),
  route({
    ...json,
    ...manage,
    tag: 'Events',
    method: 'POST',
    path: '/v1/events/{id}/prints',
    operation: 'printEventPictures',
    summary: 'Print pictures of a guest of an event, again too; no limit counts it',
    body: NewEventPrint,
    success: { status: 201, shape: EventPrint },
    handle: async (parts, request) => {
      const event = await parts.db.one(findEvent, ownOf(request));
      if (!event) throw eventNotFound();
      return startPrint(parts, request, event);
    },
  }),
  {
    ...none,
    ...manage,
    tag: 'Events',
    method: 'POST',
    path: '/v1/events/{id}/prints/{print_id}/cancel',
    operation: 'cancelEventPrint',
    summary: 'Stop a print that has not ended, as far as its printer still can',
    success: ok(EventPrint),
    handle: (parts, request) => stopPrint(parts, ownOf(request), idOf(request, 'print_id')),
  },
  route({
    ...json,
    ...booth,
    method: 'POST',
    path: '/v1/booth/prints',
    operation: 'startBoothPrint',
    summary: 'Print pictures of a guest on the printer of the event',
    body: NewEventPrint,
    countedPerCredential: 'prints',
    success: { status: 201, shape: EventPrint },
    handle: (parts, request) => startPrint(parts, request, eventOfBooth(request)),
  }),
  {
    ...none,
    ...booth,
    method: 'GET',
    path: '/v1/booth/prints/{id}',
    operation: 'readBoothPrintState',
    summary: 'What became of a print that this key asked for',
    success: ok(EventPrint),
    handle: (parts, request) =>
      readPrint(parts.db, eventOfBooth(request), idOf(request), callerOf(request).key_id),
  },
];
