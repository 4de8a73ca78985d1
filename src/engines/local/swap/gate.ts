import { cannotMake } from '../../engine.ts';
import type { Face } from '../picture.ts';
import { type Alignment, turnOf } from './alignment.ts';
import type { FaceParts } from './face-parts.ts';
import type { BothSkins } from './mask.ts';

export function checkTemplate(faces: readonly Face[]): void {
  if (faces.length === 0) throw cannotMake('There is no face in the template picture. Choose another filter.');
}
export function checkPose(_source: Face, _template: Face, alignment: Alignment): void {
  if (process.env.SWAPLOG) console.log('turn', (turnOf(alignment) * 57.3).toFixed(0));
}
export function checkVisible(parts: FaceParts, skin: BothSkins): void {
  const share = (s: Float32Array, m: Float32Array) => {
    let a = 0, b = 0;
    for (let i = 0; i < s.length; i++) { a += s[i]! * m[i]! * (1 - parts.features[i]!); b += m[i]! * (1 - parts.features[i]!); }
    return (a / b).toFixed(2);
  };
  const raw = (s: Float32Array, m: Float32Array) => {
    let a = 0, b = 0;
    for (let i = 0; i < s.length; i++) { a += s[i]! * m[i]!; b += m[i]!; }
    return (a / b).toFixed(2);
  };
  if (process.env.SWAPLOG) console.log('T oval', share(skin.there, parts.oval), 'cheek', raw(skin.there, parts.cheekbones), 'S oval', share(skin.guest, parts.oval), 'cheek', raw(skin.guest, parts.cheekbones));
}
