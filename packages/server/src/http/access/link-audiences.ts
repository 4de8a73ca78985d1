import type { FastifyRequest } from 'fastify';
import type { LinkToBlob } from '../../jobs/read.ts';
import { jobIdOf } from '../../jobs/results/result-keys.ts';
import type { Db } from '../../store/db.ts';
import { findEventJob } from '../../store/events/event-guest-records.ts';
import { findEventById } from '../../store/events/event-records.ts';
import { findQuickTestLink, findQuickTestRun } from '../../store/qa/quick-test-records.ts';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf } from '../request.ts';
import { fileNotFound, linkNotValid } from '../signed-links.ts';
import { isSharedWith } from './link-access.ts';

/** The audience of links on the page of an event's guest and at the booth. */
const guestAudience = 'guest';
/** That of the guests of a quick test link. */
export const quickTestAudience = (linkId: string): string => `quick_test.${linkId}`;

/** Links to files for the guest who made them, until they are erased. */
export function guestLinks(parts: HttpParts, request: FastifyRequest): LinkToBlob {
  const baseUrl = baseUrlOf(parts, request);
  return ({ account_id, expires_at }, key) =>
    parts.links.create(baseUrl, key, account_id, expires_at, guestAudience);
}

/** A file by a link that was signed for an audience. */
interface AudienceFile {
  key: string;
  owner: string;
  audience: string;
}

/**
 * Throws where the audience of a link has the file no longer. The records are asked for every request, so that what ends a
 * link ends it at once on every node.
 */
export async function assertAudience(db: Db, { key, owner, audience }: AudienceFile): Promise<void> {
  const [name, id = ''] = audience.split('.');
  const has =
    name === guestAudience
      ? await isKeptForGuest(db, jobIdOf(key))
      : name === 'quick_test'
        ? await isInQuickTest(db, { id, account_id: owner }, key)
        : await isSharedWith(db, audience, jobIdOf(key));
  if (has === undefined) throw fileNotFound();
  if (!has) throw linkNotValid();
}

/** Undefined where the picture was erased, or its event is being erased. */
async function isKeptForGuest(db: Db, jobId: string): Promise<true | undefined> {
  const row = await db.one(findEventJob, { job_id: jobId });
  const event = row && (await db.one(findEventById, { id: row.event_id }));
  return event?.erasure_begun_at === null ? true : undefined;
}

/** Whether the link was not deleted, and a result is of one of its runs: with the link, its runs go. */
async function isInQuickTest(
  db: Db,
  link: { id: string; account_id: string },
  key: string,
): Promise<boolean> {
  if (!/^(results|thumbnails|stills|loops)\//.test(key))
    return (await db.one(findQuickTestLink, link)) !== undefined;
  return (await db.one(findQuickTestRun, { job_id: jobIdOf(key), link_id: link.id })) !== undefined;
}
