import type { HistoryRange } from "./records.js";

export interface HistoryTable {
  readonly name: string;
  /** Columns to select, separated by commas. */
  readonly columns: string;
  /** SQL expression for a key up to its first slash. The table has an index that begins with this expression. */
  readonly scope: string;
  /** Character that starts a parameter in SQL. */
  readonly parameter: "?" | "$";
}

export interface HistoryQuery {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The last Unicode character. Every key with a prefix sorts before the prefix followed by this character. */
const LAST_CHARACTER = "\u{10ffff}";

/** Returns the statement that reads a range of the history. An index makes it fast even for a long history. */
export function historyQuery(
  range: HistoryRange,
  { name, columns, scope, parameter }: HistoryTable,
): HistoryQuery {
  const { kinds, key, prefix = "", since, before, newestFirst = false, after, limit } = range;
  const values: (string | number)[] = [];
  const parameterOf = (value: string | number): string => `${parameter}${values.push(value)}`;
  const [order, beyond] = newestFirst ? ["DESC", "<"] : ["ASC", ">"];
  const isOfScope = prefix !== "" && prefix.indexOf("/") === prefix.length - 1;
  const isOfFewKeys = key !== undefined || (prefix !== "" && !isOfScope);
  // The expression prevents the database from using an index on the kind. Such an index is of little use if almost all
  // entries have one of the requested kinds.
  const kindOf = isOfFewKeys ? "kind" : "(kind || '')";
  const conditions = [`${kindOf} IN (${kinds.map((kind) => parameterOf(kind.name)).join(", ")})`];
  if (after !== undefined) {
    const position = [after.revision, after.kind, after.key].map(parameterOf).join(", ");
    conditions.push(`(revision, kind, key) ${beyond} (${position})`);
  }
  if (key !== undefined) conditions.push(`key = ${parameterOf(key)}`);
  if (isOfScope) conditions.push(`${scope} = ${parameterOf(prefix)}`);
  else if (prefix !== "") {
    conditions.push(`key >= ${parameterOf(prefix)} AND key < ${parameterOf(prefix + LAST_CHARACTER)}`);
  }
  const times = [
    ...(since === undefined ? [] : [`time >= ${parameterOf(since)}`]),
    ...(before === undefined ? [] : [`time < ${parameterOf(before)}`]),
  ].join(" AND ");
  if (times !== "") conditions.push(times);
  if (times !== "" && !isOfScope && !isOfFewKeys) {
    // If a clock was set back, later revisions may have earlier times. An expression of the revision makes the database
    // use the index on times.
    const ofTimes = `FROM ${name} WHERE ${times}`;
    conditions.push(
      `revision BETWEEN (SELECT min(+revision) ${ofTimes}) AND (SELECT max(+revision) ${ofTimes})`,
    );
  }
  const sql = `
    SELECT ${columns} FROM ${name}
    WHERE ${conditions.join(" AND ")}
    ORDER BY ${name}.revision ${order}, ${name}.kind ${order}, ${name}.key ${order} LIMIT ${parameterOf(limit)}`;
  return { sql, values };
}
