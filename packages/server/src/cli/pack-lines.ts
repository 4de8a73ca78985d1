import type { Pack } from '../catalog/packs/describe-pack.ts';

/** What a pack brings, a line for each scene, costume and filter. */
export function packLines({ name, scenes, costumes, filters }: Pack): string[] {
  return [
    name,
    ...scenes.map((scene) => `  scene      ${scene}`),
    ...costumes.map((costume) => `  costume    ${costume}`),
    ...filters.map((filter) => {
      const replaced = filter.replaces ? '  (instead of the catalog’s own)' : '';
      return `  ${filter.list.padEnd(9)}  ${filter.id}  ${filter.name}${replaced}`;
    }),
  ];
}
