import { availableParallelism } from 'node:os';
import type { GateLimits } from './gate.ts';

/** What a process has to share. */
export interface Capacity {
  /** Descriptors that it may have. */
  descriptors: number;
  /** Bytes of bodies in flight: `GUISE_MAX_MB_IN_FLIGHT`. */
  bodyBytes: number;
  /** Of the machine. */
  cores?: number;
  /** How long a body waits for room. Clients wait 30 s or longer for an answer. */
  bodyWaitMs?: number;
  /** Instead of those that the descriptors allow. */
  connections?: Pick<GateLimits, 'atOnce' | 'atOnceOfOwner'>;
}

/** What whoever is refused is told. */
interface Refusal {
  /** 429 where the caller has as many as it may have, 503 where all together have. */
  status: 429 | 503;
  retryAfterSeconds: number;
  sentence: string;
}

/** Something that callers share. */
export interface AdmissionRow {
  /** For operators, and in docs/security.md. */
  title: string;
  /** Who takes turns. */
  owner: 'account' | 'address' | 'event';
  /** Who takes turns within the turns of an owner. */
  part?: 'key or guest';
  limits(capacity: Capacity): GateLimits;
  /** Where the figures come from that depend on the machine or on a setting. */
  basis?: string;
  /** Null where there is nobody to tell: a connection is closed, a mail waits. */
  refusal: Refusal | null;
}

/** Descriptors of the database, of engine processes and of libraries: 40 to 60 on a server that works. */
const reservedDescriptors = 96;
const secondMs = 1000;

/** Beyond the reserve; never so few that nothing works. */
const freeDescriptors = ({ descriptors }: Capacity) => Math.max(24, descriptors - reservedDescriptors);

/** A share of the free descriptors, within bounds. */
const shareOf = (capacity: Capacity, share: number, fewest: number, most: number) =>
  Math.min(most, Math.max(fewest, Math.floor(freeDescriptors(capacity) * share)));

const nobodyWaits = { waiting: 0, waitingOfOwner: 0, waitMs: 0 };

/**
 * Two thirds of the free descriptors: the last third is for what requests open, such as photos, results and connections
 * to others. Most of them for one address, because all booths of a venue may share one.
 */
function connectionLimits({ connections, ...capacity }: Capacity): GateLimits {
  const atOnce = shareOf(capacity, 2 / 3, 16, 10_000);
  return { atOnce, atOnceOfOwner: Math.ceil(0.75 * atOnce), ...nobodyWaits, ...connections };
}

/** Half of all connections together, because a stream holds its own, and no more than so many of each owner. */
const streamLimits = (ofOwner: number) => (capacity: Capacity) => {
  const atOnce = Math.ceil(connectionLimits(capacity).atOnce / 2);
  return { atOnce, atOnceOfOwner: Math.min(ofOwner, Math.max(2, atOnce - 1)), ...nobodyWaits };
};

/** Connections to what callers name: a 24th of the free descriptors, and a quarter of that for one. */
function callLimits(capacity: Capacity): GateLimits {
  const atOnce = shareOf(capacity, 1 / 24, 4, 32);
  return {
    atOnce,
    atOnceOfOwner: Math.ceil(atOnce / 4),
    waiting: 8 * atOnce,
    waitingOfOwner: 2 * atOnce,
    waitMs: 10 * secondMs,
  };
}

const pictureTaskLimits = (): GateLimits => ({
  atOnce: 2,
  atOnceOfOwner: 1,
  waiting: 32,
  waitingOfOwner: 15,
  waitMs: 30 * secondMs,
});

/**
 * Every limit on what callers share in a process, in one place. `npm run docs` writes docs/security.md's table of it,
 * and `/metrics` and the operator's page have a row for each.
 */
export const admissionTable = {
  connections: {
    title: 'Connections',
    owner: 'address',
    limits: connectionLimits,
    basis:
      'two thirds of the descriptors beyond a reserve of 96; a trusted proxy has all of them. The one that is idle for longest makes room',
    refusal: null,
  },
  requests: {
    title: 'Requests being answered',
    owner: 'address',
    limits: connectionLimits,
    basis: 'as many as connections; behind a trusted proxy by the address that it forwards',
    refusal: { status: 503, retryAfterSeconds: 2, sentence: 'Too many requests at once. Retry after 2 s.' },
  },
  bodies: {
    title: 'Bodies being received',
    owner: 'account',
    limits: ({ bodyBytes, bodyWaitMs = 10 * secondMs }: Capacity) => ({
      atOnce: bodyBytes,
      atOnceOfOwner: bodyBytes / 2,
      waiting: 2000,
      waitingOfOwner: 1000,
      waitMs: bodyWaitMs,
      free: 64 * 1024,
    }),
    basis: '`GUISE_MAX_MB_IN_FLIGHT`, half of it for an account; the first 64 KB of a body never wait',
    refusal: {
      status: 503,
      retryAfterSeconds: 5,
      sentence: 'The server is receiving too much at once. Retry after 5 s.',
    },
  },
  files: {
    title: 'Files open for answers',
    owner: 'account',
    limits: (capacity: Capacity) => {
      const atOnce = shareOf(capacity, 1 / 6, 4, 2000);
      const ofAccount = Math.ceil(atOnce / 2);
      return {
        atOnce,
        atOnceOfOwner: ofAccount,
        waiting: 4 * atOnce,
        waitingOfOwner: 2 * atOnce,
        waitMs: 10 * secondMs,
      };
    },
    basis: 'a sixth of the descriptors beyond the reserve',
    refusal: {
      status: 503,
      retryAfterSeconds: 5,
      sentence: 'Too many files are being sent. Retry after 5 s.',
    },
  },
  exports: {
    title: 'Archives being sent',
    owner: 'account',
    limits: () => ({
      atOnce: 8,
      atOnceOfOwner: 2,
      waiting: 32,
      waitingOfOwner: 8,
      waitMs: 20 * secondMs,
    }),
    refusal: {
      status: 503,
      retryAfterSeconds: 10,
      sentence: 'Too many archives are being sent. Retry after 10 s.',
    },
  },
  change_streams: {
    title: 'Streams of changes',
    owner: 'account',
    limits: streamLimits(8),
    basis: 'half of the connections in all',
    refusal: {
      status: 429,
      retryAfterSeconds: 5,
      sentence: 'An account has at most 8 streams of changes. Close one first.',
    },
  },
  job_streams: {
    title: 'Streams of one job',
    owner: 'account',
    limits: streamLimits(64),
    basis: 'half of the connections in all',
    refusal: {
      status: 429,
      retryAfterSeconds: 5,
      sentence: 'An account follows at most 64 jobs at once. Close a stream first.',
    },
  },
  wall_streams: {
    title: 'Streams of walls',
    owner: 'event',
    limits: streamLimits(8),
    basis: 'half of the connections in all',
    refusal: {
      status: 429,
      retryAfterSeconds: 5,
      sentence: 'An event has at most 8 walls at once. Close one first.',
    },
  },
  // Each takes about 80 ms, so the last one waits less than a second.
  password_hashes: {
    title: 'Password hashes',
    owner: 'address',
    limits: () => ({
      atOnce: 1,
      atOnceOfOwner: 1,
      waiting: 16,
      waitingOfOwner: 8,
      waitMs: 10 * secondMs,
    }),
    refusal: { status: 429, retryAfterSeconds: 2, sentence: 'Too many logins at once. Retry after 2 s.' },
  },
  // Node looks names up on the threads that read files as well, and a resolver that does not answer holds one for 20 s.
  name_lookups: {
    title: 'Name look-ups',
    owner: 'account',
    limits: () => ({
      atOnce: 2,
      atOnceOfOwner: 1,
      waiting: 64,
      waitingOfOwner: 16,
      waitMs: 5 * secondMs,
    }),
    basis: 'two of the four threads that Node reads files with',
    refusal: {
      status: 503,
      retryAfterSeconds: 5,
      sentence: 'Too many names are being looked up. Retry after 5 s.',
    },
  },
  url_photos: {
    title: 'Photos fetched by URL',
    owner: 'account',
    limits: callLimits,
    basis: 'a 24th of the descriptors beyond the reserve, at most 32',
    refusal: {
      status: 503,
      retryAfterSeconds: 5,
      sentence: 'Too many photos are being fetched. Retry after 5 s.',
    },
  },
  // One that does not answer holds its connection for 15 s.
  printers: {
    title: 'Calls to printers, and prints being sent',
    owner: 'account',
    limits: callLimits,
    basis: 'a 24th of the descriptors beyond the reserve, at most 32',
    refusal: {
      status: 503,
      retryAfterSeconds: 5,
      sentence: 'Too many printers are being asked. Retry after 5 s.',
    },
  },
  // Each takes some 10 ms of hashing for a picture, and the services send again what is refused.
  engine_webhooks: {
    title: 'Webhooks of picture services being received',
    owner: 'address',
    limits: () => ({ atOnce: 32, atOnceOfOwner: 16, ...nobodyWaits }),
    refusal: {
      status: 503,
      retryAfterSeconds: 5,
      sentence: 'Too many webhooks are being received. Retry after 5 s.',
    },
  },
  mails: {
    title: 'Mails to guests being sent',
    owner: 'account',
    limits: () => ({ atOnce: 4, atOnceOfOwner: 3, ...nobodyWaits }),
    basis: 'the others wait in the database',
    refusal: null,
  },
  // A JPEG of 25 megapixels takes 1.2 s of CPU, a PNG of 16 bits and as many pixels 3 s and 0.5 GB, a thumbnail 20 to
  // 200 ms.
  pictures: {
    title: 'Photos of sets, thumbnails and answers being made',
    owner: 'account',
    limits: () => ({
      atOnce: 2,
      atOnceOfOwner: 1,
      waiting: 400,
      waitingOfOwner: 200,
      waitMs: 120 * secondMs,
    }),
    refusal: {
      status: 503,
      retryAfterSeconds: 2,
      sentence: 'Too many pictures are being encoded. Retry after 2 s.',
    },
  },
  // 1 to 100 ms each: their structure is validated, nothing is decoded.
  large_images: {
    title: 'Large images being inspected',
    owner: 'account',
    limits: () => ({
      atOnce: 1,
      atOnceOfOwner: 1,
      waiting: 400,
      waitingOfOwner: 200,
      waitMs: 30 * secondMs,
    }),
    refusal: {
      status: 503,
      retryAfterSeconds: 2,
      sentence: 'Too many pictures are being checked. Retry after 2 s.',
    },
  },
  // 13 ms for one of a camera, 110 ms for the worst.
  picture_checks: {
    title: 'Small pictures being checked',
    owner: 'account',
    limits: () => ({
      atOnce: 3,
      atOnceOfOwner: 2,
      waiting: 400,
      waitingOfOwner: 200,
      waitMs: 30 * secondMs,
    }),
    refusal: {
      status: 503,
      retryAfterSeconds: 2,
      sentence: 'Too many pictures are being checked. Retry after 2 s.',
    },
  },
  // Jobs have had their turns, so they only wait until a process is free.
  job_pictures: {
    title: 'Pictures of jobs for GPU servers',
    owner: 'account',
    limits: ({ cores = availableParallelism() }: Capacity) => {
      const atOnce = Math.max(2, cores);
      return { atOnce, atOnceOfOwner: atOnce, waiting: 1000, waitingOfOwner: 1000, waitMs: 600 * secondMs };
    },
    basis: 'one for each core of the machine, two at least; in the order in which they come',
    refusal: {
      status: 503,
      retryAfterSeconds: 5,
      sentence: 'Too many pictures of jobs are being worked on. Retry after 5 s.',
    },
  },
  // Each takes 0.1 to 0.4 s, and 6 s for a PNG of 25 megapixels and 16 bits: a guest waits in front of the camera, and not
  // for another account's.
  photo_checks: {
    title: 'Checks of photos',
    owner: 'account',
    part: 'key or guest',
    limits: pictureTaskLimits,
    refusal: {
      status: 503,
      retryAfterSeconds: 2,
      sentence: 'Too many pictures are being worked on. Retry after 2 s.',
    },
  },
  // Up to a second for a print.
  prints: {
    title: 'Prints and overlays',
    owner: 'account',
    part: 'key or guest',
    limits: pictureTaskLimits,
    refusal: {
      status: 503,
      retryAfterSeconds: 2,
      sentence: 'Too many pictures are being worked on. Retry after 2 s.',
    },
  },
  qa_cells: {
    title: 'Cells of QA runs being submitted',
    owner: 'account',
    limits: () => ({
      atOnce: 8,
      atOnceOfOwner: 4,
      waiting: 400,
      waitingOfOwner: 200,
      waitMs: 60 * secondMs,
    }),
    refusal: { status: 503, retryAfterSeconds: 10, sentence: 'Too many cells wait. Retry after 10 s.' },
  },
} as const satisfies Record<string, AdmissionRow>;

export type GateName = keyof typeof admissionTable;
