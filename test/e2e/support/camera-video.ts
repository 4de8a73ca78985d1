import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';

/** Chromium's options for a fake camera that shows a video. */
export function fakeCamera(video: string): string[] {
  return [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${video}`,
  ];
}

/** A video of one frame, five times a second so that drawing it costs little, in a folder that goes with it. */
export async function cameraVideo(
  photo = new URL('../../../catalog/samples/astronaut.jpg', import.meta.url).pathname,
  { width, height } = { width: 640, height: 480 },
): Promise<{ path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'guise-camera-'));
  const path = join(folder, 'camera.y4m');
  const { data } = await sharp(photo)
    .resize(width, height, { position: 'top' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const header = `YUV4MPEG2 W${width} H${height} F5:1 Ip A1:1 C420jpeg\nFRAME\n`;
  writeFileSync(path, Buffer.concat([Buffer.from(header), toYuv420(data, width, height)]));
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Luma of every pixel, then both chromas of every second pixel of every second row (BT.601). */
function toYuv420(rgb: Buffer, width: number, height: number): Buffer {
  const half = (width / 2) * (height / 2);
  const yuv = Buffer.alloc(width * height + 2 * half);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const [r, g, b] = [rgb[3 * at]!, rgb[3 * at + 1]!, rgb[3 * at + 2]!];
      yuv[at] = 16 + (65.738 * r + 129.057 * g + 25.064 * b) / 256;
      if (x % 2 || y % 2) continue;
      const chroma = width * height + (y / 2) * (width / 2) + x / 2;
      yuv[chroma] = 128 + (-37.945 * r - 74.494 * g + 112.439 * b) / 256;
      yuv[chroma + half] = 128 + (112.439 * r - 94.154 * g - 18.285 * b) / 256;
    }
  }
  return yuv;
}
