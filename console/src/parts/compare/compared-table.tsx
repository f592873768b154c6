import { type ReactNode, useMemo } from "react";
import { type ComparedRow, comparedRowsOf } from "../../model/figures/compared-row.js";
import { pointsBetween } from "../../model/numbers/counts.js";
import {
  formatCount,
  formatCountChange,
  formatPercent,
  formatPoints,
} from "../../model/numbers/format-number.js";
import { Card, CardActions, CardHead } from "../../ui/elements/card.js";
import { SumsButton } from "../../ui/files/sums-button.js";
import { TableFrame } from "../../ui/tables/table-frame.js";
import styles from "./compared-table.module.css";
import { areAlike, type Side } from "./side.js";

/** Every category on both sides, by group. */
export function ComparedTable({ sides }: { sides: readonly [Side, Side] }): ReactNode {
  const [left, right] = sides;
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
        <td data-kind="number">{areAlike(sides) ? formatCountChange(to - from) : "–"}</td>
      </tr>
    );
  };
  return (
    <Card labelledBy="compared-table">
      <CardHead id="compared-table" title="All categories">
        <p className="soft">All days together: counts are summed up first, then divided.</p>
      </CardHead>
      <TableFrame
        caption="All categories of both sides"
        label="All categories, table"
        className={styles.table}
      >
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
          <tr className={styles.section}>
            <th scope="rowgroup" colSpan={4}>
              Accepted
            </th>
          </tr>
          {count("countMessagesAccepted", "Messages")}
          {count("countNotificationsAccepted", "Notifications")}
        </tbody>
        {groups.map(([group, rows]) => (
          <tbody key={group}>
            <tr className={styles.section}>
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
      </TableFrame>
      <CardActions>
        <SumsButton
          name="compared"
          selection={right.selection}
          rowsOf={() => sides.map((side) => ({ ...side, label: onlyLabelOf(side), counts: side.total }))}
        />
      </CardActions>
    </Card>
  );
}

/** The label of a side that has one; undefined for several together. */
const onlyLabelOf = ({ selection: { labels } }: Side): string | undefined =>
  labels?.length === 1 ? labels[0] : undefined;

/** Difference between two percentages, in percentage points. */
function Difference({ from, to }: { from: number | undefined; to: number | undefined }): ReactNode {
  if (from === undefined || to === undefined) return "–";
  return <span className={styles.difference}>{formatPoints(pointsBetween(from, to))}</span>;
}
