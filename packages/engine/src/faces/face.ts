/** A face in picture pixels. */
export interface Face {
  /** 478 points, x y z each. */
  points: Float32Array;
  center: { x: number; y: number };
  /** Forehead (point 10) to chin (point 152); the unit of every radius and distance. */
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
