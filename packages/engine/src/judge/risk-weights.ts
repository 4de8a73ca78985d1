import type { RiskModel } from './check.ts';

/** Of people in scenes, of faces in templates and of heads in costumes. Written by `npm run bench:judge -- --fit`. */
export const riskWeights: readonly RiskModel[] = [
  {
    bias: -5.797,
    weights: {
      'foreign part': 1.762,
      'cut through people': 1.996,
      'missing limb': 0.095,
      'missing part': 2.557,
      'people beside': 0.55,
      'unsure outline': 1.472,
      'enlarged people': 7.069,
    },
  },
  { bias: -6.182, weights: { 'face seam': 3.856, 'patched face': 2.807, 'moved features': 3.427 } },
  { bias: -3.113, weights: { 'cut hair': 0.71, 'part beside head': 3.93 } },
];
