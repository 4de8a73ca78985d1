import { quickTestHeader } from '@guise/contract/quick-tests.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { findLinkByToken } from '../../quick-tests/quick-test-links.ts';
import type { QuickTestLinkRow } from '../../store/qa/qa-schema.ts';
import type { HttpParts } from '../parts.ts';
import { createAddressLimit } from './address-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The quick test link whose token the request bears; null on routes of other access. */
    quickTestLink: QuickTestLinkRow | null;
  }
}

const notValid = () => new AppError('QUICK_TEST_NOT_FOUND', 'This link is not valid. Ask for a new one.');

/** From one address in a minute: a sales talk with a tablet needs few runs, and a page that waits few reads. */
const perMinute = { reads: 300, runs: 30 } as const;

export type GuestAction = keyof typeof perMinute;
type GuestCheck = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Checks requests of guests before their body is read: first how many come from the address, guesses included. */
export function createGuestAccess(
  app: FastifyInstance,
  { db }: Pick<HttpParts, 'db'>,
): Record<GuestAction, GuestCheck> {
  const checkFor = (action: GuestAction): GuestCheck => {
    const limit = createAddressLimit(app, perMinute[action]);
    return async (request) => {
      await limit(request);
      const token = request.headers[quickTestHeader.toLowerCase()];
      const link = typeof token === 'string' ? await findLinkByToken(db, token) : undefined;
      if (!link) throw notValid();
      request.quickTestLink = link;
    };
  };
  return { reads: checkFor('reads'), runs: checkFor('runs') };
}

/** The link behind the request. Only routes whose access is `guest` may ask. */
export function quickTestLinkOf(request: FastifyRequest): QuickTestLinkRow {
  if (!request.quickTestLink) throw new Error('this route is not for guests: it has no link');
  return request.quickTestLink;
}
