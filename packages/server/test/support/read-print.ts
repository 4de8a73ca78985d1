import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

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

const reader = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(reader)).buffer } });

/**
 * The text of a QR code in a picture; empty where none is found. ZXing reads it, as many phones do: the detector of
 * OpenCV misses 3 of 150 codes that are whole.
 */
export async function readCode(png: Buffer): Promise<string> {
  const [code] = await readBarcodes(png, { formats: ['QRCode'], maxNumberOfSymbols: 1 });
  return code?.text ?? '';
}
