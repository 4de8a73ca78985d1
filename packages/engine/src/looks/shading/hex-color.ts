export type Color = readonly [number, number, number];

/** Colours of the design tools: '#1b2a49' as display values from 0 to 1. */
export function parseColor(hex: string): Color {
  const value = Number.parseInt(hex.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
