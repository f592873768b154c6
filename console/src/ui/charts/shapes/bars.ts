import type { Day } from "#src/model/day.js";
import type { DayScale } from "./day-scale.js";

/** The bar of one day, or of the week that begins with it; `top` and `bottom` in pixels. */
export interface Bar {
  readonly day: Day;
  readonly top: number;
  readonly bottom: number;
}

/** Path data of all bars of a series, for a single SVG element. */
export function barsPath(bars: Iterable<Bar>, days: DayScale, widthShare = 1): string {
  let path = "";
  for (const { day, top, bottom } of bars) {
    if (bottom <= top) continue;
    const whole = days.width(day);
    const width = whole * widthShare;
    const inset = (whole - width) / 2;
    path += `M${(days.left(day) + inset).toFixed(2)},${top.toFixed(2)}h${width.toFixed(2)}V${bottom.toFixed(2)}h${(-width).toFixed(2)}z`;
  }
  return path;
}
