import { newId } from '../ids.ts';

/** Numbers requests in a random series: drawing random bytes for each would cost more than finding its route. */
export function requestIds(): () => string {
  const series = newId().slice(0, 18);
  let serial = 0;
  return () => {
    serial = (serial + 1) % 0x1_0000_0000;
    return `${series}-${serial.toString(16).padStart(8, '0')}`;
  };
}
