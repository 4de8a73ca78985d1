/** Whether the screen is set to show no motion. */
export const motionIsReduced = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
