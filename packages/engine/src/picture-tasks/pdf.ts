/** A page of an exact size with one JPEG that fills it. */
export interface PdfPage {
  jpeg: Buffer;
  /** Pixels of the JPEG. */
  width: number;
  height: number;
  pixelsPerInch: number;
  title: string;
  /** XMP. */
  metadata: string;
}

const pointsPerInch = 72;

/**
 * A PDF of one page (PDF 1.4), which viewers print at its own size unless somebody tells them otherwise. pdf-lib and
 * pdfkit take 26 MB each for fonts, forms and parsing, of which a page with one JPEG needs nothing.
 */
export function writePdf({ jpeg, width, height, pixelsPerInch, title, metadata }: PdfPage): Buffer {
  const points = (pixels: number) => String(+((pixels * pointsPerInch) / pixelsPerInch).toFixed(3));
  const [pageWidth, pageHeight] = [points(width), points(height)];
  const drawing = Buffer.from(`q ${pageWidth} 0 0 ${pageHeight} 0 0 cm /Picture Do Q`);
  const objects = [
    object('/Type /Catalog /Pages 2 0 R /Metadata 6 0 R /ViewerPreferences << /PrintScaling /None >>'),
    object('/Type /Pages /Kids [3 0 R] /Count 1'),
    object(
      `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${pageWidth} ${pageHeight}] ` +
        '/Resources << /XObject << /Picture 5 0 R >> >> /Contents 4 0 R',
    ),
    stream('', drawing),
    stream(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} ` +
        '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
      jpeg,
    ),
    stream('/Type /Metadata /Subtype /XML', Buffer.from(metadata)),
    object(`/Title ${textString(title)} /Producer (Guise)`),
  ];
  // The comment of bytes above 127 says that the file is not text.
  const parts = [Buffer.from('%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [i, content] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), content, Buffer.from('\nendobj\n')]);
    offsets.push(length);
    length += whole.length;
    parts.push(whole);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\n` +
        `startxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

const object = (entries: string) => Buffer.from(`<< ${entries} >>`);

function stream(entries: string, bytes: Buffer): Buffer {
  const start = Buffer.from(`<< ${entries} /Length ${bytes.length} >>\nstream\n`);
  return Buffer.concat([start, bytes, Buffer.from('\nendstream')]);
}

/** UTF-16 in hexadecimal digits, which needs no escapes. */
function textString(text: string): string {
  const littleEndian = Buffer.from(`\ufeff${text}`, 'utf16le');
  return `<${littleEndian.swap16().toString('hex')}>`;
}
