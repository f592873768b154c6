import type { DayVersion } from "../../../control/day-ledger.js";
import {
  COUNTS,
  type CountName,
  type EntryPosition,
  type EntrySelection,
} from "../../delivery-data-store.js";
import type { SqlWords } from "../../sql-template.js";
import { integerList, integerLiteral, projectLiteral, textLiteral } from "../literals.js";
import { filterCondition } from "./filter-condition.js";

/** The words of statements that select entries. */
export const selectionWords = (
  { project, appId, filter }: EntrySelection,
  published: readonly DayVersion[],
): SqlWords => ({
  PROJECT: projectLiteral(project),
  APP: appId === undefined ? "1" : `app = ${textLiteral(appId)}`,
  PUBLISHED: publishedCondition(published),
  FILTER: filter === undefined ? "1" : filterCondition(filter),
});

/** The columns of counts in statements that read entries. */
export const COUNT_COLUMNS = COUNTS.join(", ");
export const SUM_COLUMNS = COUNTS.map((name) => `sum(${name})`).join(", ");

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
  if (after === undefined) return "1";
  const day = integerLiteral(after.day);
  const label = `label > ${textLiteral(after.label)}`;
  const app = textLiteral(after.appId ?? "");
  const sameDay = isOfOneApp ? label : `(app > ${app} OR (app = ${app} AND ${label}))`;
  return `(day < ${day} OR (day = ${day} AND ${sameDay}))`;
}
