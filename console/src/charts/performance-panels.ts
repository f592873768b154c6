import type { Panel } from "./line-chart.js";

/** Gives delays their own scale. Few messages are delayed, and a common scale would make them unreadable. */
export const PERFORMANCE_PANELS: readonly Panel[] = [
  { title: "Delivered without delay", weight: 2, has: (index) => index === 0 },
  { title: "Delayed, on a scale of its own", weight: 3, has: (index) => index > 0 },
];
