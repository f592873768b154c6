import type { HistoryRange } from "./records.js";

/** A table with the history of records. */
export interface HistoryTable {
  readonly name: string;
  /** Columns to select. */
  readonly columns: string;
  /** Expression for a key up to its first slash. An index begins with it. */
  readonly scope: string;
  /** Character before parameter numbers. */
  readonly parameter: "?" | "$";
}

/** A statement with its parameters. */
export interface HistoryQuery {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** The last character of Unicode: no key with a prefix comes after the prefix and this character. */
const LAST_CHARACTER = "\u{10ffff}";

/** Returns the statement that reads a range of the history. It is fast even for a long history. */
export function historyQuery(
  range: HistoryRange,
  { name, columns, scope, parameter }: HistoryTable,
): HistoryQuery {
  const { kinds, key, prefix = "", since, before, newestFirst = false, after, limit } = range;
  const values: (string | number)[] = [];
  const given = (value: string | number): string => `${parameter}${values.push(value)}`;
  const [order, beyond] = newestFirst ? ["DESC", "<"] : ["ASC", ">"];
  const isOfScope = prefix !== "" && prefix.indexOf("/") === prefix.length - 1;
  const isOfFewKeys = key !== undefined || (prefix !== "" && !isOfScope);
  // As an expression, the kind selects no index. Usually, almost all entries have one of the kinds.
  const kindOf = isOfFewKeys ? "kind" : "(kind || '')";
  const conditions = [`${kindOf} IN (${kinds.map((kind) => given(kind.name)).join(", ")})`];
  if (after !== undefined) {
    const position = [after.revision, after.kind, after.key].map(given).join(", ");
    conditions.push(`(revision, kind, key) ${beyond} (${position})`);
  }
  if (key !== undefined) conditions.push(`key = ${given(key)}`);
  if (isOfScope) conditions.push(`${scope} = ${given(prefix)}`);
  else if (prefix !== "") {
    conditions.push(`key >= ${given(prefix)} AND key < ${given(prefix + LAST_CHARACTER)}`);
  }
  const times = [
    ...(since === undefined ? [] : [`time >= ${given(since)}`]),
    ...(before === undefined ? [] : [`time < ${given(before)}`]),
  ].join(" AND ");
  if (times !== "") conditions.push(times);
  if (times !== "" && !isOfScope && !isOfFewKeys) {
    // Times of revisions may decrease, if a clock was set. An expression of the revision selects the index of times.
    const ofTimes = `FROM ${name} WHERE ${times}`;
    conditions.push(
      `revision BETWEEN (SELECT min(+revision) ${ofTimes}) AND (SELECT max(+revision) ${ofTimes})`,
    );
  }
  const sql = `
    SELECT ${columns} FROM ${name}
    WHERE ${conditions.join(" AND ")}
    ORDER BY ${name}.revision ${order}, ${name}.kind ${order}, ${name}.key ${order} LIMIT ${given(limit)}`;
  return { sql, values };
}
