/** Every sentence of the three pages, in English. */
export const en = {
  /** The language's own name. */
  name: 'English',
  booth: { title: 'Booth' },
  guest: { title: 'Your picture' },
  wall: { title: 'Wall' },
};
