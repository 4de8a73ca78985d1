import { z } from 'zod';
import { createLimitedTurns } from '../hosted/limited-turns.ts';
import { readServiceFailure, ServiceError, serviceFailures } from '../hosted/service-failures.ts';
import { createServiceState, type ServiceState } from '../hosted/service-state.ts';
import { UpstreamError, upstream } from '../upstream.ts';

/** How an engine of the file talks to its service. */
export interface OpenaiImagesSettings {
  url: string;
  /** Null for a server that asks for none. */
  key: string | null;
  /** `Authorization: Bearer`, or a header that has the key alone. */
  header: 'authorization' | 'api-key';
  query?: Record<string, string> | undefined;
  jobs: number;
}

const Picture = z.looseObject({ b64_json: z.string().optional() });
const Usage = z.looseObject({
  output_tokens: z.number(),
  input_tokens_details: z.looseObject({ text_tokens: z.number(), image_tokens: z.number() }),
});
export type Usage = z.infer<typeof Usage>;
const ImagesResponse = z.looseObject({
  data: z.array(Picture).optional(),
  // Servers that imitate the interface leave it out, or tell it in another form.
  usage: Usage.optional().catch(undefined),
});

/** A picture as it came, with what the service counted for it. */
export interface MadePicture {
  bytes: Buffer;
  usage: Usage | undefined;
}

/** A request: a form with photos to edit, or a body in words alone. */
export type ImagesRequest = { form: FormData } | { json: object };

/** How long a request may wait for its turn, and then for its answer. */
export interface RequestLimits {
  waitingMs: number;
  runningMs: number;
}

export interface OpenaiImagesClient {
  readonly slots: number;
  readonly state: ServiceState;
  make(request: ImagesRequest, limits: RequestLimits, signal: AbortSignal): Promise<MadePicture>;
  close(): Promise<void>;
}

/** A 4K picture as PNG in base64 has some 40 MB. */
const maxAnswerBytes = 96 * 1024 * 1024;

export function openaiImagesClient(settings: OpenaiImagesSettings): OpenaiImagesClient {
  const server = upstream(settings.url, keyHeaders(settings));
  const inTurn = createLimitedTurns();
  return {
    slots: settings.jobs,
    state: createServiceState(new URL(settings.url).host),
    async make(request, { waitingMs, runningMs }, signal) {
      const path = 'form' in request ? '/images/edits' : '/images/generations';
      const call = {
        method: 'POST',
        path,
        ...request,
        ...(settings.query && { query: settings.query }),
        signal,
        timeoutMs: runningMs,
        maxBytes: maxAnswerBytes,
      } as const;
      return inTurn({ signal, waitingMs }, async () => pictureIn(await server.answer(call)));
    },
    close: () => server.close(),
  };
}

export function keyHeaders({ key, header }: OpenaiImagesSettings): Record<string, string> {
  if (key === null) return {};
  return header === 'authorization' ? { authorization: `Bearer ${key}` } : { 'api-key': key };
}

function pictureIn(answer: Awaited<ReturnType<ReturnType<typeof upstream>['answer']>>): MadePicture {
  const { status, body, retryAfterMs } = answer;
  if (status !== 200) {
    const failure = readServiceFailure(answer);
    // Held back with all other requests to the service, and sent again.
    if (failure.failure === serviceFailures.tooMany)
      throw new UpstreamError('status', 'images: 429', { status, retryAfterMs });
    throw failure;
  }
  const parsed = ImagesResponse.safeParse(body);
  if (!parsed.success) throw new ServiceError(serviceFailures.malformed);
  const encoded = parsed.data.data?.[0]?.b64_json;
  if (!encoded) throw new ServiceError(serviceFailures.noPicture);
  return { bytes: Buffer.from(encoded, 'base64'), usage: parsed.data.usage };
}
