/** A name that phones and disks take, whatever the event is called. */
export function fileName(eventName: string, extension: string, part = ''): string {
  const name = eventName.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '') || 'guise';
  return `${name}${part}.${extension}`;
}
