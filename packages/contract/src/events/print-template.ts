import { z } from 'zod';
import { Text } from '../texts.ts';

export const PrintLayout = z
  .enum(['4x6', '2x6', 'two_strips', 'square', 'a6', 'a5'])
  .meta({ id: 'PrintLayout' });
export type PrintLayout = z.infer<typeof PrintLayout>;
/** Layouts with several pictures below each other. */
export const stripLayouts: readonly PrintLayout[] = ['2x6', 'two_strips'];

export const Colour = z.string().regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #1a2b3c');

/** Pixels of each paper at 300 dpi, standing. Two strips are two of 2×6 beside each other, of which one is laid out. */
export const paperSizes: Readonly<Record<PrintLayout, { width: number; height: number }>> = {
  '4x6': { width: 1200, height: 1800 },
  '2x6': { width: 600, height: 1800 },
  two_strips: { width: 600, height: 1800 },
  square: { width: 1200, height: 1200 },
  a6: { width: 1240, height: 1748 },
  a5: { width: 1748, height: 2480 },
};

const share = z.number().min(0).max(1);
const box = { x: share, y: share, width: share.min(0.02), height: share.min(0.02) };

const text = {
  ...box,
  text: Text.trim().min(1).max(200).meta({
    description:
      '`{name}` and `{date}` stand for those of the event, `{guest.team}` for what the guest gave as `team`',
  }),
  colour: Colour.optional(),
};

/** A text that is written over pictures, in shares of their width and height. */
export const OverlayText = z.object(text).meta({ id: 'OverlayText' });
export type OverlayText = z.infer<typeof OverlayText>;

/** Something on the paper, in shares of its width and height. */
const PrintItem = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('picture'),
    ...box,
    number: z.int().min(1).max(4).default(1).meta({ description: 'Which picture of the guest' }),
  }),
  z.object({ kind: z.literal('text'), ...text }),
  z.object({ kind: z.literal('code'), ...box }),
]);
export type PrintItem = z.infer<typeof PrintItem>;

/** Where pictures, texts and the QR code are on the paper of an event, in place of the usual layout. */
export const PrintTemplate = z
  .object({
    paper: PrintLayout,
    lies: z.boolean().default(false).meta({ description: 'Whether the paper lies; strips never do' }),
    items: z
      .array(PrintItem)
      .max(20, 'must hold at most 20 items')
      .refine((items) => items.some(({ kind }) => kind === 'picture'), 'must hold a picture'),
  })
  .meta({ id: 'PrintTemplate' });
export type PrintTemplate = z.infer<typeof PrintTemplate>;
