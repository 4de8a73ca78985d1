import type { AnyBody, Family } from '@guise/contract/families/families.ts';
import type { Submitted } from '@guise/contract/jobs.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { earlierAnswer, type Idempotency, submit } from '../../jobs/submit.ts';
import { readStandingWebhook } from '../../jobs/webhooks/standing-webhook.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal } from '../request.ts';

/** Answers a run that came before with the same `Idempotency-Key` as it was answered then. */
export async function repeatEarlierRun(
  parts: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const idempotency = idempotencyOf(request);
  const earlier = idempotency && (await earlierAnswer(parts.db, callerOf(request).id, idempotency));
  return earlier ? reply.send(earlier) : undefined;
}

export async function submitRun(
  parts: HttpParts,
  family: Family,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Submitted> {
  const body = request.body as AnyBody;
  const signal = disconnectSignal(reply);
  const { id: accountId, key_id: keyId } = callerOf(request);
  // An empty text is what forms and workflow tools send for a field that nobody filled in.
  const webhook_url = body.webhook_url || (await readStandingWebhook(parts.db, accountId)).url || undefined;
  return submit(parts, {
    accountId,
    keyId,
    family,
    body: { ...body, webhook_url },
    unusedFields: request.unusedFields,
    uploads: request.received?.uploads,
    idempotency: idempotencyOf(request),
    via: viaOf(request, parts.installationId),
    // Another installation says so of a run that it hands on; a caller may too.
    photosStay: request.headers['x-guise-photos-stay'] === '1',
    signal,
  });
}

const mostHops = 8;

/** The installations that handed this run on, by `X-Guise-Via`. One that has been here already is refused. */
function viaOf(request: FastifyRequest, installationId: string): string[] {
  const via = String(request.headers['x-guise-via'] ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  const problem = z.array(z.uuid()).safeParse(via).error;
  if (problem) {
    const message = 'must be a list of UUIDs';
    throw new AppError('VALIDATION_ERROR', `X-Guise-Via ${message}.`, {
      fields: [{ path: 'X-Guise-Via', message }],
    });
  }
  if (via.includes(installationId) || via.length > mostHops)
    throw new AppError(
      'ENGINE_LOOP',
      'This run was handed on in a circle: it has been on this server before.',
    );
  return via;
}

export function idempotencyOf(request: FastifyRequest): Idempotency | null {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    const message = 'must be 1 to 255 printable characters without spaces';
    throw new AppError('VALIDATION_ERROR', `Idempotency-Key ${message}.`, {
      fields: [{ path: 'Idempotency-Key', message }],
    });
  }
  return { key, fingerprint: request.fingerprint ?? '' };
}
