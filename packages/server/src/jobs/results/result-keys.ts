// A result's key is `results/<2 hex digits>/<job>-<claim>`, with `.b64` for a picture and `.mp4` for a video.

/** Where the thumbnail of a result is kept once it was made. */
export function thumbnailKeyOf(resultKey: string): string {
  return resultKey.replace(/^results\//, 'thumbnails/').replace(/\.\w+$/, '.webp');
}

/** The result that a thumbnail is of: the same name with another ending. */
export function resultKeysOf(thumbnailKey: string): string[] {
  const name = thumbnailKey.replace(/^thumbnails\//, 'results/').replace(/\.webp$/, '');
  return [`${name}.b64`, `${name}.mp4`];
}

/** What links call a result: pictures are stored as base64 and sent as PNG. */
export function linkKeyOf(resultKey: string): string {
  return resultKey.replace(/\.b64$/, '.png');
}

/** The blob behind a link to a result. */
export function blobKeyOf(linkKey: string): string {
  return linkKey.replace(/\.png$/, '.b64');
}

/** The job that a key is of. */
export function jobIdOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).slice(0, 36);
}
