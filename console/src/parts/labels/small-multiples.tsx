import { type ReactNode, useMemo, useState } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import { periodLength, periodsIn } from "#console/model/days/period.js";
import { type ChartDay, commonSpanOf, deliveredShares } from "#console/model/figures/chart-day.js";
import type { LabelRow } from "#console/model/figures/label-row.js";
import { formatPercent, formatWholePercent } from "#console/model/numbers/format-number.js";
import { Button } from "#console/ui/elements/basics.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import { labelText } from "#src/presentation/field-text.js";
import { useSelection } from "../selection.js";
import { SmallMultiple } from "./small-multiple.js";
import styles from "./small-multiples.module.css";

/** Number of charts shown at first, and added by each click. */
const STEP = 12;

/** A chart for each label with its delivered share by day. All charts have one scale. */
export function SmallMultiples({
  rows,
  daysOf,
}: {
  /** In table order. */
  rows: readonly LabelRow[];
  daysOf: (label: string) => readonly ChartDay[] | undefined;
}): ReactNode {
  const selection = useSelection();
  const [count, setCount] = useState(STEP);
  const [asTable, setAsTable] = useState(false);
  const shown = useMemo(() => rows.slice(0, count), [rows, count]);
  const span = useMemo(() => commonSpanOf(shown.map(({ label }) => daysOf(label))), [shown, daysOf]);
  return (
    <Card labelledBy="multiples-title">
      <CardHead id="multiples-title" title="Delivered share of each label by day">
        <p className="soft">
          In percent of each label's accepted messages, in table order. All charts range from{" "}
          {formatWholePercent(span.least)} to {formatWholePercent(span.most)}.
        </p>
      </CardHead>
      {asTable ? (
        <MultiplesTable rows={shown} daysOf={daysOf} />
      ) : (
        <div className={styles.multiples}>
          {shown.map((row) => (
            <SmallMultiple
              key={row.label}
              row={row}
              days={daysOf(row.label)}
              selection={selection}
              span={span}
            />
          ))}
        </div>
      )}
      <CardActions
        end={
          shown.length < rows.length && (
            <button type="button" onClick={() => setCount(count + STEP)}>
              Show more charts
            </button>
          )
        }
      >
        <Button look="plain" onClick={() => setAsTable(!asTable)}>
          {asTable ? "Show as charts" : "Show as table"}
          <span className="visually-hidden">: delivered share of each label by day</span>
        </Button>
      </CardActions>
    </Card>
  );
}

/** Maximum table height in pixels. */
const MAX_HEIGHT = 560;

/** The small charts as a table: newest day or week first, with a column for each label. */
function MultiplesTable({
  rows,
  daysOf,
}: {
  rows: readonly LabelRow[];
  daysOf: (label: string) => readonly ChartDay[] | undefined;
}): ReactNode {
  const { range } = useSelection();
  const periods = useMemo(() => [...periodsIn(range)].reverse(), [range]);
  const period = periodLength(range) === 1 ? "Day" : "Week";
  const columns = useMemo(
    (): readonly TableColumn<DayRange>[] => [
      { id: "day", title: period, kind: "text", cellOf: formatRange },
      ...rows.map(({ label }): TableColumn<DayRange> => {
        const shares = new Map(deliveredShares(daysOf(label) ?? []).map(({ day, share }) => [day, share]));
        return {
          id: `label:${label}`,
          title: labelText(label),
          kind: "number",
          cellOf: ({ first }) => formatPercent(shares.get(first)),
        };
      }),
    ],
    [rows, daysOf, period],
  );
  return (
    <DataTable
      caption={`Delivered share of each label by ${period.toLowerCase()}`}
      columns={columns}
      rows={periods}
      rowKey={({ first }) => String(first)}
      maxHeight={MAX_HEIGHT}
    />
  );
}
