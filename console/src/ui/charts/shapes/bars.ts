import type { Day } from "../../../../../src/model/day.js";
import type { DayScale } from "./day-scale.js";

/** The bar of one day; `top` and `bottom` in pixels. */
export interface Bar {
  readonly day: Day;
  readonly top: number;
  readonly bottom: number;
}

/** Path data of all bars of a series, for a single SVG element. */
export function barsPath(bars: Iterable<Bar>, days: DayScale, widthShare = 1): string {
  const width = days.bar * widthShare;
  const inset = (days.bar - width) / 2;
  let path = "";
  for (const { day, top, bottom } of bars) {
    if (bottom <= top) continue;
    path += `M${(days.left(day) + inset).toFixed(2)},${top.toFixed(2)}h${width.toFixed(2)}V${bottom.toFixed(2)}h${(-width).toFixed(2)}z`;
  }
  return path;
}
