/** Approximate height of a comparison in pixels. */
export const COMPARE_HEIGHT = 1_400;
