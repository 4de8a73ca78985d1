/** A picture while it is worked on: three planes, row by row, display-referred sRGB from 0 to 1. */
export interface Picture {
  width: number;
  height: number;
  planes: [Float32Array, Float32Array, Float32Array];
}

/** A face in picture pixels. */
export interface Face {
  /** 478 points, x y z each. */
  points: Float32Array;
  center: { x: number; y: number };
  /** Forehead (point 10) to chin (point 152); the unit that every radius and distance is told in. */
  height: number;
  width: number;
  /** Radians. */
  roll: number;
  yaw: number;
  pitch: number;
  score: number;
  ageGroup: 'child' | 'adult';
  gender: 'male' | 'female';
}
