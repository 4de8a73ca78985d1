import type { BoothApi } from '../guests/submit-photo.ts';

/** What layouts are rendered with. */
const dotsPerInch = 300;

/**
 * Prints a picture in the layout of the event: the server lays it out at 300 dots per inch, and the page that is printed
 * has exactly that size and no margins.
 */
export async function printPicture(api: BoothApi, jobId: string): Promise<void> {
  const file = await api.print(jobId, { format: 'png' });
  const url = URL.createObjectURL(new Blob([file], { type: 'image/png' }));
  const picture = new Image();
  picture.src = url;
  picture.alt = '';
  picture.className = 'print-only';
  try {
    await picture.decode();
    const [width, height] = [picture.naturalWidth / dotsPerInch, picture.naturalHeight / dotsPerInch];
    // The policy of the page allows no style in the text of the page; a sheet made by the script is its own.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `@page { size: ${width}in ${height}in; margin: 0 } @media print { .print-only { width: ${width}in; height: ${height}in } }`,
    );
    document.body.append(picture);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    try {
      // Returns when the dialog is closed; with a kiosk's silent printing, at once.
      window.print();
    } finally {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    }
  } finally {
    picture.remove();
    URL.revokeObjectURL(url);
  }
}
