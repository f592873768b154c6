import { HOUR_MS } from "../../src/model/clock.js";
import { dayOfCivil, formatDay, startOfDay } from "../../src/model/day.js";
import { shiftDate } from "./servers/shift-date.mjs";
import { shiftedBy } from "./servers/shifted-clock.js";

/**
 * The current day in Los Angeles. A spec that imports this module always starts at noon of this day, and no day ends
 * while it runs. This also holds for the Node.js programs that it starts, such as servers, and for pages of the console.
 */
export const TODAY = dayOfCivil(2026, 11, 24);

/** A day before today, as text. */
export const ago = (days: number): string => formatDay(TODAY - days);

const offset = startOfDay(TODAY) + 12 * HOUR_MS - Date.now();
shiftDate(() => offset);
// Inherited by all programs that the spec starts.
process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, ...shiftedBy(offset)].join(" ");
