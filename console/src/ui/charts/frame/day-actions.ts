import { createContext } from "react";
import type { DayRange } from "#console/model/days/day-range.js";

/** Actions of readers on the days of a chart. */
export interface DayActions {
  /**
   * Opens the cause of what a day shows: called by a click, a second tap, or Enter.
   * @param category key of the category whose segment was chosen, if one was
   */
  readonly open: (days: DayRange, category?: string) => void;
  /** Shows only some days: called by dragging across them, or by choosing them with Shift, and Enter. */
  readonly zoom: (days: DayRange) => void;
}

/** Undefined around charts whose days can only be read. */
export const DayActionsContext = createContext<DayActions | undefined>(undefined);
