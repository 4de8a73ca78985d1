import { Readable } from 'node:stream';
import type { Gate } from '../admission/gate.ts';
import { AppError } from '../errors.ts';
import type { ResolveName } from '../media/name-lookup.ts';
import { connectSafely } from '../media/safe-connect.ts';
import { decodeAnswer, encodeRequest, type IppAnswer, type IppRequest } from './ipp-message.ts';

/** A printer, and whether it may be in a private network. */
export interface PrinterAddress {
  account_id: string;
  url: string;
  /** An operator has entered it, who may name any address. */
  trusted: boolean;
  /** It is being added: whoever enters it is told of an address that is not allowed. */
  isNew?: boolean;
}

export interface IppParts {
  resolve: ResolveName;
  allowPrivateUrls: boolean;
  /** Where accounts take turns. */
  gate?: Gate;
  limits?: IppLimits;
}

interface IppLimits {
  /** For all of a request without a document, and for the answer of any. */
  answerMs: number;
  /** How long a printer may take nothing more of a document. Some take it only as fast as they print it. */
  idleMs: number;
}

/** Sends a request to a printer. Rejects with a `PrinterUnreachable` where no answer of IPP comes. */
export type CallPrinter = (printer: PrinterAddress, request: IppRequest) => Promise<IppAnswer>;

/** There is no connection, no answer in time, or one that is not of a printer. */
export class PrinterUnreachable extends Error {}

const usualLimits: IppLimits = { answerMs: 15_000, idleMs: 60_000 };
const pieceBytes = 2 ** 16;
/** The attributes of a printer that knows many sizes of paper are some 60 KB. */
const maxAnswerBytes = 2 * 2 ** 20;
const ippPort = '631';

/** An address of IPP as the one of HTTP that it stands for. */
export function httpUrlOf(url: string): URL {
  const isSecure = url.toLowerCase().startsWith('ipps:');
  const http = new URL(url.replace(/^ipps?:/i, isSecure ? 'https:' : 'http:'));
  const named = /^ipps?:\/\/(?:\[[^\]]*\]|[^/:]*):(\d+)/i.exec(url)?.[1];
  http.port = named ?? ippPort;
  return http;
}

/** Refuses what no printer listens at, before anything is stored. */
export function assertPrinterUrl(url: string): void {
  const refused = new AppError('URL_NOT_ALLOWED', 'This is not an address of a printer.');
  if (!URL.canParse(url.replace(/^ipps?:/i, 'http:'))) throw refused;
  const { username, password, port, protocol } = httpUrlOf(url);
  const number = Number(port || (protocol === 'https:' ? 443 : 80));
  if (username || password || (![80, 443, 631].includes(number) && number < 1024)) throw refused;
}

export function createPrinterCalls({
  resolve,
  allowPrivateUrls,
  gate,
  limits: { answerMs, idleMs } = usualLimits,
}: IppParts): CallPrinter {
  const call: CallPrinter = async ({ account_id, url, trusted, isNew }, request) => {
    const to = httpUrlOf(url);
    const limit = startLimit(request.document ? idleMs : answerMs);
    const { signal } = limit;
    const options = { timeoutMs: answerMs, allowPrivate: trusted || allowPrivateUrls, resolve };
    try {
      const client = await connectSafely(to, options, { accountId: account_id, signal });
      try {
        const message = encodeRequest(request);
        const answer = await client.request({
          method: 'POST',
          path: to.pathname,
          headers: {
            'content-type': 'application/ipp',
            'content-length': String(message.length),
            'user-agent': 'guise',
          },
          body: request.document ? Readable.from(piecesOf(message, () => limit.restart(idleMs))) : message,
          signal,
          // Theirs count from the beginning: there is one limit.
          headersTimeout: 0,
          bodyTimeout: 0,
        });
        limit.restart(answerMs);
        const bytes = await readAll(answer.body);
        if (answer.statusCode !== 200)
          throw new PrinterUnreachable(`It answered with status ${answer.statusCode}.`);
        return decodeAnswer(bytes);
      } finally {
        client.destroy().catch(() => {});
      }
    } catch (error) {
      if (error instanceof PrinterUnreachable) throw error;
      // The name of a printer that was once reached may be known again later.
      if (error instanceof AppError && (isNew || error.code !== 'URL_NOT_ALLOWED')) throw error;
      throw new PrinterUnreachable('The printer did not answer.', { cause: error });
    } finally {
      limit.stop();
    }
  };
  if (!gate) return call;
  return (printer, request) => gate.run(printer.account_id, () => call(printer, request));
}

/** A signal that aborts so long after the last restart. */
function startLimit(ms: number) {
  const stop = new AbortController();
  const abort = () => stop.abort(new Error('the time is over'));
  let timer = setTimeout(abort, ms);
  return {
    signal: stop.signal,
    restart(nextMs: number) {
      clearTimeout(timer);
      timer = setTimeout(abort, nextMs);
    },
    stop: () => clearTimeout(timer),
  };
}

/** The next piece is asked for when the printer has taken of those before it what the connection does not hold. */
function* piecesOf(message: Buffer, onPiece: () => void): Generator<Buffer> {
  for (let at = 0; at < message.length; at += pieceBytes) {
    onPiece();
    yield message.subarray(at, at + pieceBytes);
  }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new PrinterUnreachable('Its answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
