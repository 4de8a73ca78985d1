/** What the engines work with; more only makes the upload slow. */
const longestSide = 2048;
const quality = 0.9;

/** The part of a picture that is used, in its pixels. */
interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The photo that a video shows now, cut to what is visible of it: nobody is in it who was not on the screen. */
export async function photoOfVideo(video: HTMLVideoElement, side = longestSide): Promise<Blob> {
  const size = { width: video.videoWidth, height: video.videoHeight };
  return drawPhoto(video, visiblePart(size, video.clientWidth / video.clientHeight), side);
}

/** A photo of the camera app, upright. */
export async function photoOfFile(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    return await drawPhoto(bitmap, { x: 0, y: 0, width: bitmap.width, height: bitmap.height }, longestSide);
  } finally {
    bitmap.close();
  }
}

/** The middle of a picture in another shape, as `object-fit: cover` shows it. */
export function visiblePart({ width, height }: { width: number; height: number }, shape: number): Part {
  const [seenWidth, seenHeight] = [Math.min(width, height * shape), Math.min(height, width / shape)];
  return { x: (width - seenWidth) / 2, y: (height - seenHeight) / 2, width: seenWidth, height: seenHeight };
}

async function drawPhoto(
  source: CanvasImageSource,
  { x, y, width, height }: Part,
  side: number,
): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d', { alpha: false })!;
  // Photos are halved at most: the best quality would only take longer.
  context.imageSmoothingQuality = 'medium';
  context.drawImage(source, x, y, width, height, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
  // Safari keeps the memory of canvases for long unless they are emptied.
  canvas.width = 0;
  if (!blob) throw new Error('The photo is too large for this browser.');
  return blob;
}
