import { withDetails } from '@guise/contract/events/details.ts';
import { drawableText, drawText, readLetters } from './lettering.ts';
import type { PixelBox } from './print-layout.ts';

/** What the places of a text stand for. */
export interface TextContent {
  /** The event's name, and when it is. */
  title: string;
  date: string;
  /** What stands for what the guest gave, by detail. */
  words?: Readonly<Record<string, string>>;
}

/** A text with the event's name and date and the guest's words in its places. */
export const filledText = (text: string, { title, date, words = {} }: TextContent): string =>
  withDetails(text, words).replaceAll('{name}', title).replaceAll('{date}', date).trim();

/** A text as large as its box allows, as SVG. What cannot be drawn is left out. */
export function drawInBox(text: string, box: PixelBox, colour: string): string {
  const font = readLetters(text);
  const drawn = drawableText(font, text);
  if (drawn === '') return '';
  const area = { ...box, x: box.x + box.width / 2 };
  return drawText(font, drawn, area, { colour, largest: box.height, lines: 4 }).svg;
}
