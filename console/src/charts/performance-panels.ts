import type { Panel } from "./line-chart.js";

/** Most messages are not delayed: delays have a scale of their own, or nobody could read them. */
export const PERFORMANCE_PANELS: readonly Panel[] = [
  { title: "Delivered without delay", weight: 2, has: (index) => index === 0 },
  { title: "Delayed, on a scale of its own", weight: 3, has: (index) => index > 0 },
];
