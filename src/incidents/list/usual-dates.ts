import type { UsualDates } from "../../messaging-data/delivery-data/aggregate-handler.js";
import { groupBy } from "../../model/collections.js";
import type { EntryFilter } from "../../store/delivery-data-store.js";
import { type AppIncident, isOfVolume } from "./app-incident.js";
import type { AppIncidents } from "./app-incidents.js";

/** Maximum number of incidents to leave out, the largest ones. */
const MAX_LEFT_OUT = 200;

/** Reads an app's dates without incidents. */
export const usualDatesOf =
  (incidents: Pick<AppIncidents, "of">): UsualDates =>
  async (app, signal, principal) =>
    usualDates(await incidents.of(app, signal, principal));

/** Returns a filter for entries on dates without an incident of an outcome's share, of their label or the whole app. */
export function usualDates(incidents: readonly AppIncident[]): EntryFilter {
  const largest = incidents
    .filter((incident) => !isOfVolume(incident))
    .sort((a, b) => b.excessMessageCount - a.excessMessageCount)
    .slice(0, MAX_LEFT_OUT);
  const leftOut = [...groupBy(largest, ({ label }) => label)].map(([label, ofLabel]): EntryFilter => {
    const days: EntryFilter = { kind: "or", operands: ofLabel.map(daysOf) };
    if (label === undefined) return days;
    return { kind: "and", operands: [{ kind: "label", comparison: "=", label }, days] };
  });
  return { kind: "not", operand: { kind: "or", operands: leftOut } };
}

const daysOf = ({ startDay, endDay }: AppIncident): EntryFilter => ({
  kind: "and",
  operands: [
    { kind: "day", comparison: ">=", day: startDay },
    ...(endDay === undefined ? [] : [{ kind: "day", comparison: "<=", day: endDay } as const]),
  ],
});
