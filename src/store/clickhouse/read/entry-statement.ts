import type { DayVersion } from "../../../control/day-ledger.js";
import type { SqlWords } from "../../../sql/template.js";
import {
  COUNTS,
  type CountName,
  type EntryPosition,
  type EntrySelection,
} from "../../delivery-data-store.js";
import { integerList, integerLiteral, projectLiteral, textLiteral } from "../literals.js";
import { filterCondition } from "./filter-condition.js";

/** The words of statements that select entries. */
export const selectionWords = (
  { project, appId, filter }: EntrySelection,
  published: readonly DayVersion[],
): SqlWords => ({
  PROJECT: projectLiteral(project),
  APP: appCondition(appId),
  PUBLISHED: publishedCondition(published),
  FILTER: filter === undefined ? "1" : filterCondition(filter),
});

/** The condition on rows of an app, or of all. */
export const appCondition = (appId: string | undefined): string =>
  appId === undefined ? "1" : `app = ${textLiteral(appId)}`;

/** The columns of counts in statements that read entries. */
export const COUNT_COLUMNS = COUNTS.join(", ");
export const SUM_COLUMNS = COUNTS.map((name) => `sum(${name})`).join(", ");
/** A further column of sums, with the number of entries without counts. Entries from events have messages. */
export const WITHOUT_COUNTS_COLUMN = "countIf(count_messages_accepted = 0)";

/** The column with a count of a label by day. Counts up to 2⁵³ are exact as doubles. */
export const historyColumn = (name: CountName): string =>
  `arraySort((value, day) -> day, groupArray(toFloat64(${name})), groupArray(day))`;

/**
 * The condition on the published versions, of which there is at least one. The days alone let the engine skip parts
 * of the table.
 */
export function publishedCondition(published: readonly DayVersion[]): string {
  const pairs = published.map(({ day, version }) => `(${integerLiteral(day)}, ${integerLiteral(version)})`);
  return `day IN (${integerList(published.map(({ day }) => day))}) AND (day, version) IN (${pairs.join(", ")})`;
}

/** The condition on entries after a position in a list of one app, or of all. */
export function afterCondition(after: EntryPosition | undefined, isOfOneApp: boolean): string {
  return after === undefined ? "1" : sideCondition(after, isOfOneApp, "<", ">", ">");
}

/** The condition on rows from a position to another one, both included, in a list of one app, or of all. */
export function rangeCondition(from: EntryPosition, to: EntryPosition, isOfOneApp: boolean): string {
  const days = `day <= ${integerLiteral(from.day)} AND day >= ${integerLiteral(to.day)}`;
  const afterFrom = sideCondition(from, isOfOneApp, "<", ">", ">=");
  return `${days} AND ${afterFrom} AND ${sideCondition(to, isOfOneApp, ">", "<", "<=")}`;
}

/** The condition on rows on one side of a position, by the comparisons of days, of app ids and, in the end, of labels. */
function sideCondition(
  position: EntryPosition,
  isOfOneApp: boolean,
  ofDays: "<" | ">",
  ofApps: "<" | ">",
  ofLabels: ">" | ">=" | "<=",
): string {
  const day = integerLiteral(position.day);
  const label = `label ${ofLabels} ${textLiteral(position.label)}`;
  const app = textLiteral(position.appId ?? "");
  const sameDay = isOfOneApp ? label : `(app ${ofApps} ${app} OR (app = ${app} AND ${label}))`;
  return `(day ${ofDays} ${day} OR (day = ${day} AND ${sameDay}))`;
}
