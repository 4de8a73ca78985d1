import type { FastifyReply, FastifyRequest } from 'fastify';
import { changedElsewhere, type Precondition } from '../precondition.ts';

const etagOf = (version: number) => `"${version}"`;

/** Tells the caller which version of a thing it reads. */
export function setETag(reply: FastifyReply, version: number): void {
  reply.header('etag', etagOf(version));
}

/** What the caller's `If-Match` demands: nothing without one, or where it is `*`. */
export function preconditionOf({ headers }: FastifyRequest): Precondition {
  const expected = headers['if-match']?.split(',').map((tag) => tag.trim());
  return (version) => {
    if (!expected || expected.includes('*') || expected.includes(etagOf(version))) return;
    throw changedElsewhere();
  };
}
