import { type ReactNode, useMemo } from "react";
import { isPassing } from "../../api/blocking-error.js";
import type { DayMark } from "../../model/figures/chart-day.js";
import type { Standout } from "../../model/figures/standout.js";
import { formatPercent } from "../../model/numbers/format-number.js";
import { Failure } from "../../ui/states/failure.js";
import { Kept } from "../../ui/states/kept.js";
import { NoEntries } from "../no-entries.js";
import { useSelection } from "../selection.js";
import { DeliveryCharts } from "./delivery-charts.js";
import { KeyFigureTiles } from "./key-figure-tiles.js";
import styles from "./overview.module.css";
import { StandoutList } from "./standout-list.js";
import { useOverview } from "./use-overview.js";

/** Delivery of an app's messages, by day. */
export default function Overview(): ReactNode {
  const {
    shown: { value, isStale },
    error,
  } = useOverview();
  const asked = useSelection();
  const { selection = asked, days } = value ?? {};
  const standouts = days?.standouts;
  const marks = useMemo(() => standouts?.map(markOf), [standouts]);
  if (error !== undefined && !(days !== undefined && isPassing(error)))
    return <Failure error={error} height={900} />;
  if (days !== undefined && days.rows.length === 0) {
    return <NoEntries range={days.range} labels={selection.labels} />;
  }
  return (
    <Kept isStale={isStale} isBusy={days === undefined || isStale} className={styles.overview}>
      <KeyFigureTiles range={selection.range} days={days} />
      <StandoutList standouts={standouts} />
      <DeliveryCharts selection={selection} rows={days?.rows} marks={marks} />
    </Kept>
  );
}

const markOf = ({ day, share, expected }: Standout): DayMark => ({
  day,
  text: `Stands out: ${formatPercent(share)} delivered, ${formatPercent(Math.max(0, expected))} or more expected`,
});
