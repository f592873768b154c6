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

/** Template words for statements that select entries. */
export const selectionWords = (
  { project, appId, filter }: EntrySelection,
  published: readonly DayVersion[],
): SqlWords => ({
  PROJECT: projectLiteral(project),
  APP: appCondition(appId),
  PUBLISHED: publishedCondition(published),
  FILTER: filter === undefined ? "1" : filterCondition(filter),
});

/** Condition on the app, or true for all apps. */
export const appCondition = (appId: string | undefined): string =>
  appId === undefined ? "1" : `app = ${textLiteral(appId)}`;

export const COUNT_COLUMNS = COUNTS.join(", ");
export const SUM_COLUMNS = COUNTS.map((name) => `sum(${name})`).join(", ");
/** Expression for the number of entries without counts. Entries from events always have messages. */
export const WITHOUT_COUNTS_COLUMN = "countIf(count_messages_accepted = 0)";

/** Expression for the daily values of a count, by label. Values up to 2⁵³ are exact as doubles. */
export const historyColumn = (name: CountName): string =>
  `arraySort((value, day) -> day, groupArray(toFloat64(${name})), groupArray(day))`;

/**
 * Returns the condition that selects published versions. There must be at least one. A separate condition on days lets
 * the engine skip parts of the table.
 */
function publishedCondition(published: readonly DayVersion[]): string {
  const pairs = published.map(({ day, version }) => `(${integerLiteral(day)}, ${integerLiteral(version)})`);
  return `day IN (${integerList(published.map(({ day }) => day))}) AND (day, version) IN (${pairs.join(", ")})`;
}

export function afterCondition(after: EntryPosition | undefined, isOfOneApp: boolean): string {
  return after === undefined ? "1" : sideCondition(after, isOfOneApp, "<", ">", ">");
}

/** Condition for rows between two list positions, inclusive. */
export function rangeCondition(from: EntryPosition, to: EntryPosition, isOfOneApp: boolean): string {
  const days = `day <= ${integerLiteral(from.day)} AND day >= ${integerLiteral(to.day)}`;
  const afterFrom = sideCondition(from, isOfOneApp, "<", ">", ">=");
  return `${days} AND ${afterFrom} AND ${sideCondition(to, isOfOneApp, ">", "<", "<=")}`;
}

/** Returns the condition for rows on one side of a list position. It compares days, then app ids, and then labels. */
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
