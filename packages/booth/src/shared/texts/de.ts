import type { Texts } from './texts.ts';

/** Every sentence of the three pages, in German. */
export const de: Texts = {
  name: 'Deutsch',
  booth: { title: 'Fotobox' },
  guest: { title: 'Dein Bild' },
  wall: { title: 'Bilderwand' },
};
