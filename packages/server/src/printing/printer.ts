import type { PrintLayout } from '@guise/contract/events/print-template.ts';
import type { PrinterReport } from '@guise/contract/events/prints.ts';
import { type CallPrinter, type PrinterAddress, PrinterUnreachable } from './ipp-client.ts';
import { type IppAnswer, type IppGroup, operations, type SentAttribute } from './ipp-message.ts';
import { sentencesOf } from './printer-words.ts';

/** A file as it is sent. */
export type DocumentFormat = 'application/pdf' | 'image/jpeg' | 'image/png';

/** What of a printer decides how a job is sent to it. */
export interface PrinterAbilities {
  report: PrinterReport;
  /** Null where it takes none of the formats, or no jobs in two steps. */
  format: DocumentFormat | null;
  papers: readonly string[];
  scalings: readonly string[];
  mostCopies: number;
}

/** A job of a printer as it says. */
export interface PrinterJob {
  name: string;
  state: 'incoming' | 'waiting' | 'printing' | 'printed' | 'ended';
  reasons: string[];
}

/** What IPP calls the paper of each layout. */
export const paperNames: Readonly<Record<PrintLayout, string>> = {
  '4x6': 'na_index-4x6_4x6in',
  '2x6': 'custom_2x6_2x6in',
  two_strips: 'na_index-4x6_4x6in',
  square: 'custom_4x4_4x4in',
  a6: 'iso_a6_105x148mm',
  a5: 'iso_a5_148x210mm',
};

/** What people call it. */
export const paperWords: Readonly<Record<PrintLayout, string>> = {
  '4x6': '4 × 6 in',
  '2x6': '2 × 6 in',
  two_strips: '4 × 6 in',
  square: '4 × 4 in',
  a6: '105 × 148 mm',
  a5: '148 × 210 mm',
};

/** A page of PDF has exactly the size of its paper; a JPEG is what printers without PDF take. */
const formats: readonly DocumentFormat[] = ['application/pdf', 'image/jpeg', 'image/png'];

const asked = [
  'printer-state',
  'printer-state-reasons',
  'printer-is-accepting-jobs',
  'printer-make-and-model',
  'queued-job-count',
  'media-ready',
  'media-supported',
  'document-format-supported',
  'operations-supported',
  'print-scaling-supported',
  'copies-supported',
];

/** The answers of IPP that say that all is well are below this. */
const isOk = ({ status }: IppAnswer) => status < 0x0100;
const notFound = 0x0406;

const textsOf = (group: IppGroup, name: string) =>
  (group.get(name) ?? []).filter((value) => typeof value === 'string');
const numbersOf = (group: IppGroup, name: string) =>
  (group.get(name) ?? []).filter((value) => typeof value === 'number');

const requester: SentAttribute = ['requesting-user-name', 'name', 'guise'];
const printerUri = ({ url }: PrinterAddress): SentAttribute => ['printer-uri', 'uri', url];

/** What a printer says of itself. One that does not answer is `unreachable` and has no format. */
export async function askPrinter(call: CallPrinter, printer: PrinterAddress): Promise<PrinterAbilities> {
  const none = { format: null, papers: [], scalings: [], mostCopies: 1 };
  const unreachable = (sentence: string): PrinterAbilities => ({
    ...none,
    report: { state: 'unreachable', problems: [sentence], model: null, papers: [], waiting: null },
  });
  try {
    const answer = await call(printer, {
      operation: operations.getPrinterAttributes,
      attributes: [printerUri(printer), requester, ['requested-attributes', 'keyword', ...asked]],
    });
    const [group] = answer.printers;
    return isOk(answer) && group
      ? abilitiesOf(group)
      : unreachable('There is no printer at this address. Check the part after the host.');
  } catch (error) {
    if (!(error instanceof PrinterUnreachable)) throw error;
    return unreachable('The printer does not answer. Check that it is on, and its address.');
  }
}

/** `printer-state` of IPP. */
const stoppedState = 5;
const busyState = 4;

function abilitiesOf(group: IppGroup): PrinterAbilities {
  const supported = textsOf(group, 'document-format-supported');
  const known = numbersOf(group, 'operations-supported');
  const takesJobs = [operations.createJob, operations.sendDocument].every((one) => known.includes(one));
  const format = takesJobs ? (formats.find((one) => supported.includes(one)) ?? null) : null;
  const [state] = numbersOf(group, 'printer-state');
  const isAccepting = group.get('printer-is-accepting-jobs')?.[0] !== false;
  const problems = sentencesOf(textsOf(group, 'printer-state-reasons'));
  if (!isAccepting) problems.push('The printer accepts no jobs now. Set it to accept jobs again.');
  if (format === null)
    problems.push('The printer takes neither PDF nor JPEG by IPP. Set it up in CUPS, and use that address.');
  if (state === stoppedState && problems.length === 0)
    problems.push('The printer has stopped. Its display may say why.');
  const [copies] = group.get('copies-supported') ?? [];
  const ready = textsOf(group, 'media-ready');
  return {
    format,
    papers: textsOf(group, 'media-supported'),
    scalings: textsOf(group, 'print-scaling-supported'),
    mostCopies: typeof copies === 'object' ? copies.to : 1,
    report: {
      state: state === stoppedState || !isAccepting ? 'stopped' : state === busyState ? 'printing' : 'ready',
      problems,
      model: textsOf(group, 'printer-make-and-model')[0] ?? null,
      papers: ready,
      waiting: numbersOf(group, 'queued-job-count')[0] ?? null,
    },
  };
}

/** What a printer has refused, as a sentence. */
export class PrinterRefused extends Error {
  /** It prints something else, and takes the job later. */
  readonly isBusy: boolean;
  constructor(sentence: string, isBusy: boolean) {
    super(sentence);
    this.isBusy = isBusy;
  }
}

/** `server-error-not-accepting-jobs` and `server-error-busy` of IPP. */
const busyStatuses = [0x0506, 0x0507];

function refusalOf(answer: IppAnswer): PrinterRefused {
  const [message] = textsOf(answer.operation, 'status-message');
  const status = `0x${answer.status.toString(16).padStart(4, '0')}`;
  const sentence = `The printer refused the print${message ? `: ${message}` : ` (${status}).`}`;
  return new PrinterRefused(sentence, busyStatuses.includes(answer.status));
}

export interface JobToPrint {
  /** The id of the print: by it a job is known again. */
  name: string;
  layout: PrintLayout;
  copies: number;
}

/** Makes a job without its document, which prints nothing yet, and gives its id. */
export async function createJob(
  call: CallPrinter,
  printer: PrinterAddress,
  { papers, scalings, format }: PrinterAbilities,
  { name, layout, copies }: JobToPrint,
): Promise<number> {
  const paper = paperNames[layout];
  const scaling = format === 'application/pdf' ? 'none' : 'fill';
  const answer = await call(printer, {
    operation: operations.createJob,
    attributes: [printerUri(printer), requester, ['job-name', 'name', name]],
    jobAttributes: [
      ['copies', 'integer', copies],
      // Paper that the printer does not name is what is loaded.
      ...(papers.includes(paper) ? [['media', 'keyword', paper] satisfies SentAttribute] : []),
      ...(scalings.includes(scaling) ? [['print-scaling', 'keyword', scaling] satisfies SentAttribute] : []),
    ],
  });
  const [id] = numbersOf(answer.jobs[0] ?? new Map(), 'job-id');
  if (!isOk(answer) || id === undefined) throw refusalOf(answer);
  return id;
}

export async function sendDocument(
  call: CallPrinter,
  printer: PrinterAddress,
  jobId: number,
  { format, document }: { format: DocumentFormat; document: Buffer },
): Promise<void> {
  const answer = await call(printer, {
    operation: operations.sendDocument,
    attributes: [
      printerUri(printer),
      ['job-id', 'integer', jobId],
      requester,
      ['document-format', 'mimeType', format],
      ['last-document', 'boolean', true],
    ],
    document,
  });
  if (!isOk(answer)) throw refusalOf(answer);
}

/** `job-state` of IPP: 3 pending, 4 held, 5 processing, 6 stopped, 7 canceled, 8 aborted, 9 completed. */
const jobStates: Readonly<Record<number, PrinterJob['state']>> = {
  3: 'waiting',
  4: 'waiting',
  5: 'printing',
  6: 'printing',
  7: 'ended',
  8: 'ended',
  9: 'printed',
};
const heldState = 4;

/** Null where the printer does not know the job any more. */
export async function readJob(
  call: CallPrinter,
  printer: PrinterAddress,
  jobId: number,
): Promise<PrinterJob | null> {
  const answer = await call(printer, {
    operation: operations.getJobAttributes,
    attributes: [printerUri(printer), ['job-id', 'integer', jobId], requester],
  });
  if (answer.status === notFound) return null;
  const [group] = answer.jobs;
  if (!isOk(answer) || !group) throw refusalOf(answer);
  const [state = 0] = numbersOf(group, 'job-state');
  const reasons = textsOf(group, 'job-state-reasons');
  // A job that was made and has no document yet is held by some printers, and says so by its reasons on others.
  const isIncoming =
    reasons.includes('job-incoming') ||
    (state === heldState && reasons.every((one) => one === 'none' || one === 'job-data-insufficient'));
  return {
    name: textsOf(group, 'job-name')[0] ?? '',
    state: isIncoming ? 'incoming' : (jobStates[state] ?? 'waiting'),
    reasons,
  };
}

export async function cancelJob(call: CallPrinter, printer: PrinterAddress, jobId: number): Promise<void> {
  // One that has ended cannot be cancelled, and needs not.
  await call(printer, {
    operation: operations.cancelJob,
    attributes: [printerUri(printer), ['job-id', 'integer', jobId], requester],
  });
}
