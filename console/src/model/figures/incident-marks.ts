import { type DayRange, daysOf } from "../days/day-range.js";
import type { DayMark } from "./chart-day.js";
import { eventText, type Incident, lasts } from "./incident.js";

/** Incidents of one day that its mark names. */
const NAMED = 2;

/**
 * Marks the days of a range on which incidents lasted.
 * @param incidents the most urgent first
 */
export const marksOf = (incidents: readonly Incident[], range: DayRange): readonly DayMark[] =>
  daysOf(range).flatMap((day) => {
    const lasting = incidents.filter((incident) => lasts(incident, day));
    if (lasting.length === 0) return [];
    const named = lasting.slice(0, NAMED).map((incident) => `${eventText(incident)}.`);
    if (lasting.length > NAMED) named.push(`More incidents: ${lasting.length - NAMED}.`);
    return [{ day, text: named.join(" "), isStart: lasting.some(({ firstDay }) => firstDay === day) }];
  });
