import type { Day } from "../../model/day.js";
import type { EntryColumns, EntryPosition, EntrySelection } from "../../store/delivery-data-store.js";

/** The place of a row in the list of a selection. */
export const placeOf = (
  { days, appIds, labels }: Pick<EntryColumns, "days" | "appIds" | "labels">,
  row: number,
  { appId }: Pick<EntrySelection, "appId">,
): EntryPosition => ({
  day: days[row] ?? 0,
  label: labels[row] ?? "",
  ...(appId === undefined && { appId: appIds[row] ?? "" }),
});

/** Writes a place for a page token. */
export const writePlace = ({ day, label, appId }: EntryPosition): string =>
  JSON.stringify(appId === undefined ? [day, label] : [day, label, appId]);

/** Reads what {@link writePlace} wrote. */
export function readPlace(text: string): EntryPosition {
  const [day, label, appId] = JSON.parse(text) as [Day, string, string?];
  return { day, label, ...(appId !== undefined && { appId }) };
}
