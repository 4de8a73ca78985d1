import { z } from 'zod';
import { Integer, Uuid } from '../common.ts';
import { Text } from '../texts.ts';
import { Branding } from './events.ts';
import { PrintLayout } from './print-template.ts';

/** How many printers an account may have, and what one print may ask for. */
export const printLimits = { printers: 50, pictures: 4, copies: 20, boothCopies: 5 } as const;

/** A printer that speaks IPP, which needs no driver: most of the last ten years, and every queue of a CUPS server. */
export const NewPrinter = z
  .object({
    name: Text.trim().min(1).max(100).meta({ description: 'Such as “Foyer”' }),
    url: Text.trim()
      .max(500)
      .regex(
        /^ipps?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i,
        'must be an address such as ipp://192.168.1.30/ipp/print',
      )
      .meta({ description: '`ipp://192.168.1.30/ipp/print`, or `ipp://localhost/printers/NAME` of CUPS' }),
  })
  .meta({ id: 'NewPrinter' });
export type NewPrinter = z.infer<typeof NewPrinter>;

export const PrinterState = z
  .enum(['ready', 'printing', 'stopped', 'unreachable'])
  .meta({ id: 'PrinterState' });
export type PrinterState = z.infer<typeof PrinterState>;

/** What a printer says of itself now. */
export const PrinterReport = z
  .object({
    state: PrinterState,
    problems: z.array(z.string()).meta({ description: 'What somebody has to do there, one sentence each' }),
    model: z.string().nullable(),
    papers: z
      .array(z.string())
      .meta({ description: 'Sizes of paper that are loaded, where it says so: `na_index-4x6_4x6in`' }),
    waiting: z.number().int().nullable().meta({ description: 'Jobs in its own queue' }),
  })
  .meta({ id: 'PrinterReport' });
export type PrinterReport = z.infer<typeof PrinterReport>;

export const Printer = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    created_at: z.iso.datetime(),
    report: PrinterReport.nullable().meta({ description: 'Null in lists, which ask no printer' }),
  })
  .meta({ id: 'Printer' });
export type Printer = z.infer<typeof Printer>;

export const PrinterList = z.object({ printers: z.array(Printer) }).meta({ id: 'PrinterList' });
export type PrinterList = z.infer<typeof PrinterList>;

/** Pictures of one guest on one sheet of paper. */
export const NewEventPrint = z
  .object({
    job_ids: z
      .array(Uuid)
      .min(1)
      .max(printLimits.pictures, `must hold at most ${printLimits.pictures} pictures`)
      .meta({
        description: 'Pictures of one guest, in their order on a strip; other layouts take the first',
      }),
    layout: PrintLayout.optional().meta({
      description: 'Without it, what the branding of the event says, or `4x6`',
    }),
    copies: Integer.min(1).max(printLimits.copies).default(1),
  })
  .meta({ id: 'NewEventPrint' });
export type NewEventPrint = z.infer<typeof NewEventPrint>;
export type NewEventPrintInput = z.input<typeof NewEventPrint>;

export const PrintState = z
  .enum(['waiting', 'printing', 'printed', 'failed', 'cancelled'])
  .meta({ id: 'PrintState' });
export type PrintState = z.infer<typeof PrintState>;

export const EventPrint = z
  .object({
    id: z.string(),
    state: PrintState,
    job_ids: z.array(z.string()),
    layout: PrintLayout,
    copies: z.number().int(),
    printer_id: z.string(),
    by: z.enum(['booth', 'operator']),
    attempts: z.number().int(),
    sentence: z
      .string()
      .nullable()
      .meta({ description: 'What holds it up or has failed, such as “The printer is out of paper.”' }),
    created_at: z.iso.datetime(),
    sent_at: z.iso.datetime().nullable().meta({ description: 'When the printer had all of it' }),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'EventPrint' });
export type EventPrint = z.infer<typeof EventPrint>;

export const EventPrintList = z
  .object({ prints: z.array(EventPrint), next_cursor: z.string().nullable() })
  .meta({ id: 'EventPrintList' });
export type EventPrintList = z.infer<typeof EventPrintList>;

/** A print of sample pictures, to see what an event's look comes to. */
export const NewPrintPreview = z
  .object({ name: Text.trim().max(120), branding: Branding })
  .meta({ id: 'NewPrintPreview' });
export type NewPrintPreview = z.infer<typeof NewPrintPreview>;

export const PrintPreview = z
  .object({ image: z.string().meta({ description: 'A JPEG at 300 dpi, as base64' }) })
  .meta({ id: 'PrintPreview' });
export type PrintPreview = z.infer<typeof PrintPreview>;
