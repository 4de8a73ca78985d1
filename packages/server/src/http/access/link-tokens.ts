import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { EventRow } from '../../store/events/event-schema.ts';

/** What a link of an event opens. A gallery with a password has a second token, which the password gives. */
export type LinkKind = 'wall' | 'gallery' | 'unlocked_gallery';

export interface EventLink {
  kind: LinkKind;
  eventId: string;
  /** When it was made the event had this: see `linkVersionOf`. */
  version: number;
  /** Seconds since 1970; 0 for as long as its event shows it. */
  expires: number;
}

/** Tokens in the links of walls and galleries: what they open, with a signature. Nothing of them is stored. */
export interface LinkTokens {
  create(link: EventLink): string;
  /** Undefined for what was not signed here, and after its time. */
  read(token: string): EventLink | undefined;
}

export const linkKinds: readonly LinkKind[] = ['wall', 'gallery', 'unlocked_gallery'];
const contentBytes = 25;
const tokenShape = /^[\w-]{55}$/;

export function createLinkTokens(secret: string): LinkTokens {
  const sign = (content: Buffer) =>
    createHmac('sha256', secret).update('event link\n').update(content).digest().subarray(0, 16);
  return {
    create({ kind, eventId, version, expires }) {
      const content = Buffer.alloc(contentBytes);
      content.writeUInt8(linkKinds.indexOf(kind), 0);
      content.write(eventId.replaceAll('-', ''), 1, 'hex');
      content.writeUInt32BE(version, 17);
      content.writeUInt32BE(expires, 21);
      return Buffer.concat([content, sign(content)]).toString('base64url');
    },
    read(token) {
      if (!tokenShape.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // The last character has unused bits: only one spelling of a token is valid.
      if (bytes.toString('base64url') !== token) return undefined;
      const content = bytes.subarray(0, contentBytes);
      if (!timingSafeEqual(bytes.subarray(contentBytes), sign(content))) return undefined;
      const id = content.toString('hex', 1, 17);
      const expires = content.readUInt32BE(21);
      if (expires !== 0 && expires * 1000 <= Date.now()) return undefined;
      return {
        kind: linkKinds[content.readUInt8(0)]!,
        eventId: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        version: content.readUInt32BE(17),
        expires,
      };
    },
  };
}

/** Changes when the links are made anew; that of an unlocked gallery with the password too. */
export function linkVersionOf(
  kind: LinkKind,
  { links_version, gallery_password_hash }: Pick<EventRow, 'links_version' | 'gallery_password_hash'>,
): number {
  if (kind !== 'unlocked_gallery') return links_version;
  return hash('sha256', `${links_version} ${gallery_password_hash}`, 'buffer').readUInt32BE(0);
}
