import type { Day } from "../../../src/model/day.js";
import type { ChosenRange } from "../view/view.js";
import type { DayRange } from "./day-range.js";

/** Resolves a choice of days, given the last listed day. */
export const resolveRange = (chosen: ChosenRange, listed: Day): DayRange =>
  chosen.kind === "own" ? chosen.range : { first: listed - chosen.days + 1, last: listed };
