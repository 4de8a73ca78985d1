/** Points of the mesh, without the irises. */
export const meshPointCount = 468;

/** From the forehead over the nose to the chin. */
const midline = [
  0, 1, 2, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 94, 151, 152, 164, 168, 175, 195, 197, 199,
  200,
];

/**
 * For each point the one on the other side of the face. The points from 248 on are those of one side, in the same order
 * as the others that are not on the midline.
 */
export const mirrorPoints = Uint16Array.from({ length: meshPointCount }, (_, i) => i);
for (let i = 0, other = 248; other < meshPointCount; i++) {
  if (midline.includes(i)) continue;
  mirrorPoints[i] = other;
  mirrorPoints[other++] = i;
}

/** Around the lips. */
export const lips = [
  61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 375, 321, 405, 314, 17, 84, 181, 91, 146,
] as const;

/** Around the eye, its lids and its brow; the names are the picture's sides. */
export const leftEye = [46, 70, 63, 105, 66, 107, 55, 133, 112, 23, 25, 130] as const;
export const rightEye = [276, 300, 293, 334, 296, 336, 285, 362, 341, 253, 255, 359] as const;

/** Points above and below a brow, from the nose outwards. */
export interface BrowPoints {
  above: readonly number[];
  below: readonly number[];
}
export const leftBrow: BrowPoints = { above: [107, 66, 105, 63, 70], below: [55, 65, 52, 53, 46] };
export const rightBrow: BrowPoints = { above: [336, 296, 334, 293, 300], below: [285, 295, 282, 283, 276] };

/** Cheeks, nose and chin: skin in almost every photo, so this is where the colour of skin is learnt. */
export const skinSample = [117, 50, 205, 212, 18, 432, 425, 280, 346, 6] as const;

/** From the brows to the lower lip: always the guest's, whatever the template shows there. */
export const innerFace = [107, 336, 300, 263, 425, 291, 17, 61, 205, 33, 70] as const;

/** The skin below the lower lids. */
export const leftUnderEye = [25, 110, 24, 23, 22, 26, 231, 230, 229, 228, 31] as const;
export const rightUnderEye = [255, 339, 254, 253, 252, 256, 451, 450, 449, 448, 261] as const;

/** Around the openings of the eyes. */
export const leftLids = [
  33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7,
] as const;
export const rightLids = [
  263, 466, 388, 387, 386, 385, 384, 398, 362, 382, 381, 380, 374, 373, 390, 249,
] as const;

/** From the eyes to the mouth. */
export const middleFace = [33, 159, 133, 168, 362, 386, 263, 280, 291, 14, 61, 50] as const;

/** Around the opening of the mouth. */
export const innerLips = [
  78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95,
] as const;
