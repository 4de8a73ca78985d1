import { textId } from '../../ids.ts';

/** The URL of an endpoint: the origin and the path, which is what stays the same from job to job. */
export function endpointUrlOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.origin + parsed.pathname : '';
}

/** The same for every delivery of the account to the same endpoint. */
export function endpointIdOf(accountId: string, url: string): string {
  return textId(`webhook endpoint ${accountId} ${endpointUrlOf(url)}`);
}
