import { type ReactNode, useMemo } from "react";
import type { DayMark } from "../../charts/chart-day.js";
import { formatPercent } from "../../numbers/format-number.js";
import { Failure } from "../../states/failure.js";
import { NoEntries } from "../../states/no-entries.js";
import { SelectionContext } from "../selection.js";
import { DeliveryCharts } from "./delivery-charts.js";
import { KeyFigureTiles } from "./key-figure-tiles.js";
import type { Standout } from "./standout.js";
import { StandoutList } from "./standout-list.js";
import { useOverview } from "./use-overview.js";

/** Delivery of an app's messages, by day. */
export default function Overview(): ReactNode {
  const { selection, days, isStale, error, retry } = useOverview();
  const standouts = days?.standouts;
  const marks = useMemo(() => standouts?.map(markOf), [standouts]);
  if (error !== undefined) return <Failure error={error} retry={retry} height={900} />;
  if (days !== undefined && days.rows.length === 0) {
    return <NoEntries range={days.range} labels={selection.labels} />;
  }
  const range = days?.range ?? selection.range;
  return (
    <div
      className="loaded overview"
      aria-busy={days === undefined || isStale}
      data-stale={isStale || undefined}
    >
      <KeyFigureTiles range={range} days={days} />
      <StandoutList standouts={standouts} />
      {/* Names files saved from a chart after the selection that it shows. */}
      <SelectionContext value={selection}>
        <DeliveryCharts range={range} rows={days?.rows} marks={marks} />
      </SelectionContext>
    </div>
  );
}

const markOf = ({ day, share, expected }: Standout): DayMark => ({
  day,
  text: `Stands out: ${formatPercent(share)} delivered, ${formatPercent(Math.max(0, expected))} or more expected`,
});
