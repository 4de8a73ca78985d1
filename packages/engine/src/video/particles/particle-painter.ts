import { randomFrom } from '../../pixels/random.ts';
import type { ParticlePainter, ParticleSpace } from './particle-space.ts';
import { createShapedParticlePainter } from './shaped-particles.ts';
import { createDiscPainter } from './soft-discs.ts';

/** Paints the particles of a clip, by the strength of each effect, the same for the same seed; null when there are none. */
export function createParticlePainter(
  effects: Partial<Record<string, number>>,
  space: ParticleSpace,
  seed: number,
): ParticlePainter | null {
  const painters = [
    createDiscPainter(effects, space.size, seed),
    createShapedParticlePainter(effects, space, (name) => randomFrom(seed ^ hashOf(name))),
  ].filter((paint) => paint !== null);
  if (painters.length === 0) return null;
  return (...at) => {
    for (const paint of painters) paint(...at);
  };
}

/** So that two effects of one clip do not go the same ways (FNV-1a). */
function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}
