import { isIP } from 'node:net';
import { z } from 'zod';
import { Address, EnvName } from '../engine-kind.ts';

/** What every kind has in the engines file whose photos may go to a company. */
export const hostedFields = {
  url: Address,
  model: z.string().min(1).max(200),
  /** Whether photos go to somebody else than whoever runs this installation. */
  photos_leave: z.boolean().optional(),
  /** Who gets them, as guests read it. */
  company: z.string().trim().min(1).max(80).optional(),
  /** Whether what the service refuses by its rules for content may be made by the route's fallback. */
  refused: z.enum(['fail', 'fallback']).default('fail'),
  dollars_per_picture: z.number().min(0).max(1000).optional(),
};

export const KeyFrom = EnvName;

interface HostedEntry {
  url: string;
  photos_leave?: boolean | undefined;
  company?: string | undefined;
}

/** What an operator has to say before a photo leaves: null where it is said. */
export function photosLeaveProblem({ url, photos_leave }: HostedEntry): string | null {
  if (photos_leave !== undefined || isOwnAddress(url)) return null;
  return `must be said: true where ${new URL(url).hostname} is a company's, to whom photos of guests may go; false where the server is your own`;
}

/** Who gets the photos; null where they stay with whoever runs this installation. */
export function companyOf({ url, photos_leave, company }: HostedEntry): string | null {
  return photos_leave ? (company ?? new URL(url).hostname) : null;
}

/** Whether an address is on this machine or in a private network. A name of the internet never is. */
function isOwnAddress(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return !host.includes('.') || /\.(local|lan|internal|localhost)$/.test(host);
  return /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|::1$|f[cd]|fe80:)/i.test(host);
}
