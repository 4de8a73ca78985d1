import type { LabPicture } from '../looks/lab.ts';
import type { FaceParts } from './face-parts.ts';
import type { BothSkins, FaceMask } from './mask.ts';
export function matchDetail(_lit: LabPicture, _t: LabPicture, _mask: FaceMask, _parts: FaceParts, _skin: BothSkins, _unit: number, _factor: number): void {}
