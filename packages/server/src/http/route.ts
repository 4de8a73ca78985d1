import type { z } from 'zod';
import type { BodyKind } from './body.ts';
import type { Call } from './call.ts';
import type { HttpParts } from './parts.ts';

/** An endpoint: who may call it, what it takes and what it answers. The OpenAPI document is made from these rows. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  access: 'public' | 'account';
  tag: string;
  summary: string;
  bodyKind: BodyKind;
  body?: z.ZodType;
  query?: z.ZodType;
  maxBody?: number;
  /** The answer's status and shape; no shape when it is empty or not JSON. */
  success: { status: number; shape?: z.ZodType };
  /** Data for a JSON answer, nothing, or a `Reply`. */
  handle(parts: HttpParts, call: Call): Promise<unknown>;
}

/** What most rows share: a body of JSON or none, from an account or from anybody. */
export const json = { bodyKind: 'json', access: 'account' } as const;
export const none = { bodyKind: 'none', access: 'account' } as const;
export const open = { bodyKind: 'none', access: 'public', tag: 'Server' } as const;
export const ok = (shape: z.ZodType) => ({ status: 200, shape });

/** 20 MB of image are 28 MB of base64. */
export const imageBodyBytes = 28 * 1024 * 1024;
