/** The parts of a multipart body, by name. */
export interface Part {
  filename: string | null;
  bytes: Buffer;
}

export function readMultipart(body: Buffer, contentType: string): Map<string, Part> {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (!boundary) throw new Error('no boundary');
  const mark = Buffer.from(`--${boundary}`);
  const parts = new Map<string, Part>();
  let at = body.indexOf(mark);
  while (at >= 0) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const headEnd = body.indexOf('\r\n\r\n', at);
    const head = body.toString('utf8', at + mark.length, headEnd);
    const name = /[; ]name="([^"]*)"/.exec(head)?.[1];
    const filename = /filename="([^"]*)"/.exec(head)?.[1] ?? null;
    if (name !== undefined) parts.set(name, { filename, bytes: body.subarray(headEnd + 4, next - 2) });
    at = next;
  }
  return parts;
}
