import type { PointShape } from "#console/model/figures/series.js";

const PATHS: Readonly<Record<PointShape, string>> = {
  circle: "m-3,0a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z",
  square: "m-2.7,-2.7h5.4v5.4h-5.4z",
  triangle: "m0,-3.6l3.6,6.2h-7.2z",
  diamond: "m0,-4l4,4l-4,4l-4,-4z",
  cross: "m-1.2,-3.6h2.4v2.4h2.4v2.4h-2.4v2.4h-2.4v-2.4h-2.4v-2.4h2.4z",
};

/** Path data of a point at a position. */
export const pointPath = (shape: PointShape, x: number, y: number): string =>
  `M${x.toFixed(1)},${y.toFixed(1)}${PATHS[shape]}`;
