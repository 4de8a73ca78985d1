import type { Check } from './check.ts';

/** A body that ends in a straight line in the picture, because its photo does, by the line’s length. */
export const endsInAir: Check = {
  name: 'ends in the air',
  limit: 0.1,
  measure({ width, height, unit, people, photoEnds, barrierTops }) {
    const regions = photoEnds.flatMap((end) => {
      // A little above: the last rows of a cut-out are soft.
      const row = end - 3;
      if (row < 0 || row >= height - 4) return [];
      const isCut = (x: number) => people.data[row * width + x]! > 0.5 && row < barrierTops[x]! - 3;
      const columns = Array.from({ length: width }, (_, x) => x).filter(isCut);
      if (columns.length === 0) return [];
      return [{ x: columns[0]!, y: row, width: columns.at(-1)! - columns[0]! + 1, height: 3 }];
    });
    return { measure: regions.reduce((sum, region) => sum + region.width, 0) / unit, regions };
  },
};
