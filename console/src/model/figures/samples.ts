import type { Sample } from "#src/presentation/difference.js";
import type { ChartDay } from "./chart-day.js";
import { type Incident, isOfShare, lasts } from "./incident.js";
import type { Series } from "./series.js";

/** Returns the messages of each day: in a category, and in total. */
export const samplesOf = (
  days: readonly ChartDay[],
  { countOf, base }: Pick<Series, "countOf" | "base">,
  incidents: readonly Incident[],
): readonly Sample[] =>
  days.map(({ day, counts }) => ({
    count: countOf(counts),
    of: base?.countOf(counts) ?? 0,
    isUsual: !incidents.some((incident) => isOfShare(incident) && lasts(incident, day)),
  }));
