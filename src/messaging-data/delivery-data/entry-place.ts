import type { Day } from "../../model/day.js";
import type { EntryColumns, EntryPosition } from "../../store/delivery-data-store.js";

/** The place of a row in a list of one app, or of all apps. */
export const placeOf = (
  { days, appIds, labels }: Pick<EntryColumns, "days" | "appIds" | "labels">,
  row: number,
  ofAllApps: boolean,
): EntryPosition => ({
  day: days[row] ?? 0,
  label: labels[row] ?? "",
  ...(ofAllApps && { appId: appIds[row] ?? "" }),
});

/** Writes a place for a page token. */
export const writePlace = ({ day, label, appId }: EntryPosition): string =>
  JSON.stringify(appId === undefined ? [day, label] : [day, label, appId]);

/** Reads what {@link writePlace} wrote. */
export function readPlace(text: string): EntryPosition {
  const [day, label, appId] = JSON.parse(text) as [Day, string, string?];
  return { day, label, ...(appId !== undefined && { appId }) };
}
