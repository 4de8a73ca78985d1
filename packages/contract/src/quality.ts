import { z } from 'zod';

/** What a picture can be found wanting in, and the sentence that callers read. */
export const qualitySentences = {
  'loose part': 'Something that belongs to nobody is in the picture.',
  'foreign part': 'Something of the photo’s background may have stayed with a person.',
  'cut through people':
    'Somebody could not be told cleanly from the person beside, or a part of them is missing.',
  'between neighbours': 'The guest stood between others who hide their sides: arms may be missing.',
  'missing part': 'A part of somebody may be missing.',
  'missing limb': 'An arm or a side of somebody may be missing.',
  'ends in the air': 'Somebody ends in a straight line, because the photo shows no more of them.',
  'head cut off': 'A head is cut off by the border of the picture.',
  'people beside':
    'Others stood close to the guest: a part of the guest may be missing, or a part of them left.',
  'unsure outline': 'Where people end could not be told for certain.',
  'enlarged people': 'The photo shows people small: enlarged, they look soft.',
  'face seam': 'The edge of the face in the picture may be seen.',
  'patched face': 'Hair or a shadow hid a part of the face: it may show on the face in the picture.',
  'moved features': 'Eyes, nose or mouth may not be where they belong.',
  'cut hair': 'Hair may be cut off where it should fall over the costume.',
  'part beside head': 'A hand or an arm beside a head may be cut off.',
  'unlike guest': 'Somebody in the picture may not look as in the photo.',
  'missing guest': 'Somebody of the photo may be missing in the picture.',
  stranger: 'Somebody is in the picture who is not in the photo.',
  /** Of pictures that were made before. */
  'covered face': 'Hair or a shadow hid a part of the face: it may show on the face in the picture.',
} as const;
export type QualityCheck = keyof typeof qualitySentences;

/** A part of a picture, in its pixels. */
export interface QualityRegion {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why a picture is not good: what a check measured and where, or what another server says of a job that it made. */
export type QualityReason =
  | { check: QualityCheck; measure: number; regions: QualityRegion[] }
  | { sentence: string };

/** How good a finished picture is, as far as its engine can tell. */
export interface Quality {
  grade: 'good' | 'fair';
  reasons: QualityReason[];
}

/** The same as callers read it. */
export const QualityAnswer = z
  .object({ grade: z.enum(['good', 'fair']), reasons: z.array(z.string()) })
  .meta({
    id: 'QualityAnswer',
    description:
      'How good the picture is, as far as its engine can tell, and what is wrong with it; only where it was looked at',
  });
export type QualityAnswer = z.infer<typeof QualityAnswer>;

export function qualityAnswerOf({ grade, reasons }: Quality): QualityAnswer {
  const sentences = reasons.map((reason) =>
    'sentence' in reason ? reason.sentence : qualitySentences[reason.check],
  );
  return { grade, reasons: [...new Set(sentences)] };
}
