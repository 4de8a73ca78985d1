/**
 * Makes an image no longer than `side` on its longer side, upright, as JPEG, PNG or WebP. With sharp:
 * `(bytes, side) => sharp(bytes).rotate().resize(side, side, { fit: 'inside', withoutEnlargement: true }).jpeg().toBuffer()`
 */
export type ResizePhoto = (bytes: Uint8Array, side: number) => Promise<Uint8Array>;

/** The parts of a browser that are used. */
interface Canvas {
  width: number;
  height: number;
  getContext(kind: '2d'): {
    fillStyle: string;
    imageSmoothingQuality: string;
    fillRect(x: number, y: number, width: number, height: number): void;
    drawImage(image: unknown, x: number, y: number, width: number, height: number): void;
  } | null;
  convertToBlob?(options: { type: string; quality: number }): Promise<Blob>;
  toBlob?(done: (blob: Blob | null) => void, type: string, quality: number): void;
}
interface Browser {
  createImageBitmap?(file: Blob, options: object): Promise<{ width: number; height: number; close(): void }>;
  OffscreenCanvas?: new (width: number, height: number) => Canvas;
  document?: { createElement(name: 'canvas'): Canvas };
}

const jpeg = { type: 'image/jpeg', quality: 0.92 } as const;

/** The photo with its longer side at most `side` pixels. Browsers do it with a canvas; elsewhere `resize` has to. */
export async function downscalePhoto(
  bytes: Uint8Array,
  side: number,
  resize: ResizePhoto | undefined,
): Promise<Uint8Array> {
  if (resize) return resize(bytes, side);
  const browser = globalThis as unknown as Browser;
  if (!browser.createImageBitmap)
    throw new TypeError(
      'downscale needs an image library outside of browsers: pass `resizePhoto` to new Guise().',
    );
  const bitmap = await browser.createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]), {
    imageOrientation: 'from-image',
  });
  const scale = side / Math.max(bitmap.width, bitmap.height);
  if (scale >= 1) {
    bitmap.close();
    return bytes;
  }
  const canvas = createCanvas(browser, Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Uint8Array(await (await encode(canvas)).arrayBuffer());
}

function createCanvas(browser: Browser, width: number, height: number): Canvas {
  if (browser.OffscreenCanvas) return new browser.OffscreenCanvas(width, height);
  return Object.assign(browser.document!.createElement('canvas'), { width, height });
}

async function encode(canvas: Canvas): Promise<Blob> {
  if (canvas.convertToBlob) return canvas.convertToBlob(jpeg);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob!(resolve, jpeg.type, jpeg.quality));
  if (!blob) throw new TypeError('The photo is too large for this browser.');
  return blob;
}
