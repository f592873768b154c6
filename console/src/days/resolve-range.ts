import type { Day } from "../../../src/model/day.js";
import type { ChosenRange } from "../view/view.js";
import type { DayRange } from "./day-range.js";

/** The days that a choice means as long as `listed` is the last day that is listed. */
export const resolveRange = (chosen: ChosenRange, listed: Day): DayRange =>
  chosen.kind === "own" ? chosen.range : { first: listed - chosen.days + 1, last: listed };
