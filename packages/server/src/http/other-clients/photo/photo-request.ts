import type { PhotoQuery } from '@guise/contract/other-clients/photo-run.ts';
import type { RouteRequest } from '../../route.ts';

/** A form in which files stand by the names of their uploads, and what the URL says. */
export type PhotoRequest = RouteRequest<Record<string, unknown>, PhotoQuery>;
