/** About what a comparison takes, in pixels. */
export const COMPARE_HEIGHT = 1_400;
