import type { PrintLayout } from '@guise/contract/events/print-template.ts';
import type { BoothApi } from '../guests/submit-photo.ts';

/** Pictures of one guest on one sheet; a strip has them in this order. */
export interface WantedPrint {
  jobIds: readonly [string, ...string[]];
  /** Without it, what the event says. */
  layout: PrintLayout | undefined;
}

/** What layouts are rendered with. */
const dotsPerInch = 300;

/**
 * Prints a picture in the layout of the event: the server lays it out at 300 dots per inch, and the page that is printed
 * has exactly that size and no margins. It stays in the document until the browser has printed it, or the guest leaves.
 */
export async function printPicture(
  api: BoothApi,
  { jobIds: [jobId, ...others], layout }: WantedPrint,
  left: AbortSignal,
): Promise<void> {
  const strip = { ...(layout && { layout }), ...(others.length > 0 && { with: others.join(',') }) };
  const file = await api.print(jobId, { format: 'png', ...strip }, left);
  const url = URL.createObjectURL(new Blob([file], { type: 'image/png' }));
  const picture = new Image();
  picture.src = url;
  picture.alt = '';
  picture.className = 'print-only';
  try {
    await picture.decode();
    left.throwIfAborted();
  } catch (error) {
    URL.revokeObjectURL(url);
    throw error;
  }
  const [width, height] = [picture.naturalWidth / dotsPerInch, picture.naturalHeight / dotsPerInch];
  // The policy of the page allows no style in the text of the page; a sheet made by the script is its own.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    `@page { size: ${width}in ${height}in; margin: 0 } @media print { .print-only { width: ${width}in; height: ${height}in } }`,
  );
  const remove = () => {
    window.removeEventListener('afterprint', remove);
    left.removeEventListener('abort', remove);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    picture.remove();
    URL.revokeObjectURL(url);
  };
  // Not when print() returns: Safari returns at once and prints what is in the document later.
  window.addEventListener('afterprint', remove);
  left.addEventListener('abort', remove);
  document.body.append(picture);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  window.print();
}
