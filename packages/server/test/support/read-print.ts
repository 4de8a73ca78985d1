import { readFileSync } from 'node:fs';
import { loadOpenCV } from '@opencvjs/node';
import sharp from 'sharp';

/** What a printer was sent, as pixels: the JPEG of a PDF, or the picture itself. */
export async function readPrint(
  file: string,
): Promise<{ png: Buffer; width: number; height: number; page: string | null }> {
  const bytes = readFileSync(file);
  const isPdf = bytes.subarray(0, 5).toString() === '%PDF-';
  const page = isPdf ? (/\/MediaBox \[([^\]]*)\]/.exec(bytes.toString('latin1'))?.[1] ?? null) : null;
  const picture = isPdf ? jpegIn(bytes) : bytes;
  const { data, info } = await sharp(picture).png().toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height, page };
}

function jpegIn(pdf: Buffer): Buffer {
  const start = pdf.indexOf(Buffer.of(0xff, 0xd8, 0xff));
  return pdf.subarray(start, pdf.indexOf('\nendstream', start));
}

/** The text of a QR code in a picture; empty where none is found. */
export async function readCode(png: Buffer): Promise<string> {
  const cv = await loadOpenCV();
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const picture = cv.matFromArray(info.height, info.width, cv.CV_8UC1, data);
  const detector = new cv.QRCodeDetector();
  try {
    return String(detector.detectAndDecode(picture));
  } finally {
    picture.delete();
    detector.delete();
  }
}
