import { type ReactNode, useMemo } from "react";
import { type ComparedRow, comparedRowsOf } from "../../model/figures/compared-row.js";
import { formatCount, formatPercent, formatPoints } from "../../model/numbers/format-number.js";
import type { Side } from "./side.js";

/** Every category on both sides, by group. */
export function ComparedTable({ sides: [left, right] }: { sides: readonly [Side, Side] }): ReactNode {
  const groups = useMemo(() => {
    const groups = new Map<string, ComparedRow[]>();
    for (const row of comparedRowsOf(left.total, right.total)) {
      groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
    }
    return [...groups];
  }, [left.total, right.total]);
  const count = (name: "countMessagesAccepted" | "countNotificationsAccepted", title: string): ReactNode => {
    const [from = 0, to = 0] = [left.total[name], right.total[name]];
    return (
      <tr>
        <th scope="row">{title}</th>
        <td data-kind="number">{formatCount(from)}</td>
        <td data-kind="number">{formatCount(to)}</td>
        <td data-kind="number">
          {to > from ? "+" : ""}
          {formatCount(to - from)}
        </td>
      </tr>
    );
  };
  return (
    <section className="card" aria-labelledby="compared-table">
      <header className="card-head">
        <h2 id="compared-table">All categories</h2>
        <p className="soft">All days together: counts are summed up first, then divided.</p>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard */}
      <section className="table-frame" aria-label="All categories, table" tabIndex={0}>
        <table className="data-table compared-table">
          <caption className="visually-hidden">All categories of both sides</caption>
          <thead>
            <tr>
              <th scope="col">Category</th>
              <th scope="col" data-kind="number">
                {left.title}
              </th>
              <th scope="col" data-kind="number">
                {right.title}
              </th>
              <th scope="col" data-kind="number">
                Difference
              </th>
            </tr>
          </thead>
          <tbody>
            <tr className="table-section">
              <th scope="rowgroup" colSpan={4}>
                Accepted
              </th>
            </tr>
            {count("countMessagesAccepted", "Messages")}
            {count("countNotificationsAccepted", "Notifications")}
          </tbody>
          {groups.map(([group, rows]) => (
            <tbody key={group}>
              <tr className="table-section">
                <th scope="rowgroup" colSpan={4}>
                  {group}
                </th>
              </tr>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.title}</th>
                  <td data-kind="number">{formatPercent(row.left)}</td>
                  <td data-kind="number">{formatPercent(row.right)}</td>
                  <td data-kind="number">
                    <Difference from={row.left} to={row.right} />
                  </td>
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </section>
    </section>
  );
}

/** Difference between two percentages, in percentage points. */
function Difference({ from, to }: { from: number | undefined; to: number | undefined }): ReactNode {
  if (from === undefined || to === undefined) return "–";
  return <span className="difference">{formatPoints(to - from)}</span>;
}
