import { type ReactNode, useMemo } from "react";
import {
  formatCount,
  formatCountChange,
  formatPercent,
  formatPoints,
} from "#console/model/numbers/format-number.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { Help } from "#console/ui/elements/help.js";
import { SumsButton } from "#console/ui/files/sums-button.js";
import { TableFrame } from "#console/ui/tables/table-frame.js";
import { changeView } from "#console/ui/view/use-view.js";
import { groupBy } from "#src/model/collections.js";
import { MIN_DAYS } from "#src/presentation/difference.js";
import styles from "./compared-table.module.css";
import { areAlike, COMPARED_COUNTS, type ComparedCategory, type Side } from "./comparison.js";

/** The difference in every category, by group. Clicking a category charts it. */
export function ComparedTable({
  sides,
  categories,
  charted,
}: {
  sides: readonly [Side, Side];
  categories: readonly ComparedCategory[];
  /** Key of the charted category. */
  charted: string | undefined;
}): ReactNode {
  const [left, right] = sides;
  const groups = useMemo(() => [...groupBy(categories, ({ group }) => group)], [categories]);
  const nameOf = (key: string, title: string): ReactNode => (
    <button
      type="button"
      className={styles.name}
      aria-pressed={charted === key}
      onClick={() => changeView({ category: key }, "replace")}
    >
      {title}
    </button>
  );
  return (
    <Card labelledBy="compared-table">
      <CardHead id="compared-table" title="Differences">
        <p className="soft">
          {right.title} minus {left.title}. Click a category to see it by day.
        </p>
      </CardHead>
      <TableFrame
        caption="All categories of both sides"
        label="All categories, table"
        className={styles.table}
      >
        <thead>
          <tr>
            <th scope="col">Category</th>
            <NumberHead>{left.title}</NumberHead>
            <NumberHead>{right.title}</NumberHead>
            <NumberHead>Difference</NumberHead>
            <th scope="col">Significant</th>
          </tr>
        </thead>
        <tbody>
          <GroupHead>Accepted</GroupHead>
          {COMPARED_COUNTS.map(({ key, title, series }) => {
            const [from, to] = [series.countOf(left.total), series.countOf(right.total)];
            return (
              <tr key={key}>
                <th scope="row">{nameOf(key, title)}</th>
                <td data-kind="number">{formatCount(from)}</td>
                <td data-kind="number">{formatCount(to)}</td>
                <td data-kind="number">
                  {areAlike(sides)
                    ? formatCountChange(to - from)
                    : `${formatCount(left.days.length)} and ${formatCount(right.days.length)} days`}
                </td>
                <td>–</td>
              </tr>
            );
          })}
        </tbody>
        {groups.map(([group, rows]) => (
          <tbody key={group}>
            <GroupHead>{group}</GroupHead>
            {rows.map((row) => (
              <tr key={row.key} className={row.difference.isBeyondChance ? styles.clear : styles.unclear}>
                <th scope="row">{nameOf(row.key, row.title)}</th>
                <td data-kind="number">{formatPercent(row.left)}</td>
                <td data-kind="number">{formatPercent(row.right)}</td>
                <td data-kind="number" className={styles.difference}>
                  {row.points === undefined ? "–" : formatPoints(row.points)}
                </td>
                <td>{chanceText(row)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </TableFrame>
      <HowDecided categories={categories} />
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

const NumberHead = ({ children }: { children: string }): ReactNode => (
  <th scope="col" data-kind="number">
    {children}
  </th>
);

/** Names the following rows. */
const GroupHead = ({ children }: { children: string }): ReactNode => (
  <tr className={styles.section}>
    <th scope="rowgroup" colSpan={5}>
      {children}
    </th>
  </tr>
);

/** Returns a side's label. Returns undefined for several labels. */
const onlyLabelOf = ({ selection: { labels } }: Side): string | undefined =>
  labels?.length === 1 ? labels[0] : undefined;

function chanceText({ points, difference: { isBeyondChance } }: ComparedCategory): string {
  if (points === undefined) return "–";
  if (isBeyondChance === undefined) return "too few days";
  return isBeyondChance ? "yes" : "no";
}

/** Explains significance, and lists the confidence intervals. */
function HowDecided({ categories }: { categories: readonly ComparedCategory[] }): ReactNode {
  return (
    <Help>
      <p className="soft">
        Percentages come from summed counts. They vary by chance, more so with few messages or uneven days.
        The table lists the 99.7% confidence interval for each difference. A difference is significant if its
        interval excludes 0. Both sides need at least {MIN_DAYS} days with messages.
      </p>
      <TableFrame
        caption="Confidence intervals"
        label="Confidence intervals, table"
        className={styles.intervals}
      >
        <thead>
          <tr>
            <th scope="col">Category</th>
            <NumberHead>Difference</NumberHead>
            <NumberHead>At least</NumberHead>
            <NumberHead>At most</NumberHead>
          </tr>
        </thead>
        <tbody>
          {categories.map(({ key, title, points, difference: { interval } }) => (
            <tr key={key}>
              <th scope="row">{title}</th>
              <td data-kind="number">{limitText(points)}</td>
              <td data-kind="number">{limitText(interval?.low)}</td>
              <td data-kind="number">{limitText(interval?.high)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Help>
  );
}

const limitText = (points: number | undefined): string => (points === undefined ? "–" : formatPoints(points));
