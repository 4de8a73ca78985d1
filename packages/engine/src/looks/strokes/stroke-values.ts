/**
 * Numbers for each stroke where it starts: x and y of its middle, the number of its brush print, how much lighter and
 * how much warmer than the reference it is.
 */
export const startFields = 5;

/**
 * Numbers for each traced stroke: x and y of the middle of its chord, x and y of the chord's direction, half of its
 * length, its sag, red, green, blue, and the number of its brush print.
 */
export const strokeFields = 10;

/** In place of a stroke's number or rows: there is none. */
export const noStroke = -1;

export interface StrokeShape {
  /** Pixels. */
  width: number;
  length: number;
  /** Colour difference at which a stroke ends instead of running over a contour. */
  limit: number;
  /** Direction of the strokes where the forms have none, in radians. */
  slant: number;
}

export interface StrokeStarts {
  /** `startFields` numbers for each stroke. */
  values: Float32Array;
  /** The stroke of each cell, or `noStroke`. */
  strokeAt: Int32Array;
}

export interface Strokes {
  /** `strokeFields` numbers for each stroke. */
  values: Float32Array;
  /** First and last row of each stroke, or `noStroke`. */
  spans: Int32Array;
}
