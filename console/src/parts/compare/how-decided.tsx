import type { ReactNode } from "react";
import { MIN_DAYS } from "#console/model/figures/difference.js";
import { formatPoints } from "#console/model/numbers/format-number.js";
import { TableFrame } from "#console/ui/tables/table-frame.js";
import type { ComparedCategory } from "./comparison.js";
import styles from "./how-decided.module.css";

/** The rule by which a difference is more than chance, and its figures. */
export function HowDecided({ categories }: { categories: readonly ComparedCategory[] }): ReactNode {
  return (
    <details className={styles.details}>
      <summary>How is this decided?</summary>
      <p className="soft">
        Chance alone makes shares differ, the more so the fewer the messages and the more the days of a side
        differ from each other. The table shows where the true difference lies with 99.7% confidence: if 0
        lies outside, the difference is more than chance. Both sides need {MIN_DAYS} days with messages.
      </p>
      <TableFrame
        caption="Where the true differences lie"
        label="True differences, table"
        className={styles.table}
      >
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col" data-kind="number">
              Differs by
            </th>
            <th scope="col" data-kind="number">
              At least
            </th>
            <th scope="col" data-kind="number">
              At most
            </th>
          </tr>
        </thead>
        <tbody>
          {categories.map(({ key, title, points, difference: { interval } }) => (
            <tr key={key}>
              <th scope="row">{title}</th>
              <td data-kind="number">{boundText(points)}</td>
              <td data-kind="number">{boundText(interval?.low)}</td>
              <td data-kind="number">{boundText(interval?.high)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </details>
  );
}

const boundText = (points: number | undefined): string => (points === undefined ? "–" : formatPoints(points));
