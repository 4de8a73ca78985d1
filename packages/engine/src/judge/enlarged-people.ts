import type { Check } from './check.ts';

/**
 * How much larger than in their photo people are. An outline is as fine as the photo: enlarged, its errors are seen, and
 * so are the photo's blur and its JPEG blocks.
 */
export const enlargedPeople: Check = {
  name: 'enlarged people',
  limit: 2.5,
  measure: ({ enlargement }) => ({ measure: enlargement, regions: [] }),
};
