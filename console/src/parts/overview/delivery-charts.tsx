import { type ReactNode, useMemo } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { chartRange, daysIn } from "#console/model/days/day-range.js";
import type { DayMark } from "#console/model/figures/chart-day.js";
import type { OverviewDays } from "#console/model/figures/overview-days.js";
import { ACCEPTED, seriesOf, UNACCOUNTED_NOTIFICATIONS } from "#console/model/figures/series.js";
import { INSIGHTS, PERFORMANCE, PROXY_RESULTS } from "#console/model/numbers/categories.js";
import { notificationsOf } from "#console/model/numbers/counts.js";
import { ChartCard } from "#console/ui/charts/card/chart-card.js";
import { CountChart } from "#console/ui/charts/count-chart.js";
import { LineChart, type Panel } from "#console/ui/charts/line-chart.js";
import { OutcomesCard } from "#console/ui/charts/outcomes-card.js";
import { StackedChart } from "#console/ui/charts/stacked-chart.js";
import { chartFileOf } from "#console/ui/files/files.js";

/** A chart for each category group, stacked with aligned days. */
export function DeliveryCharts({
  selection: chosenEntries,
  days,
  marks,
}: {
  selection: EntriesSelection;
  /** Undefined while loading. */
  days: OverviewDays | undefined;
  marks: readonly DayMark[] | undefined;
}): ReactNode {
  const selection = useMemo(
    () => ({ ...chosenEntries, range: chartRange(chosenEntries.range) }),
    [chosenEntries],
  );
  const chosen = daysIn(chosenEntries.range) === 1 ? chosenEntries.range : undefined;
  const rows = days?.chartRows;
  const drawn = { range: selection.range, rows, chosen };
  const hasNotifications = useMemo(
    () => rows?.some(({ counts }) => notificationsOf(counts) > 0) ?? false,
    [rows],
  );
  return (
    <>
      <OutcomesCard file={chartFileOf("outcomes", selection)} {...drawn} marks={marks} height={480} />
      <ChartCard
        title="Accepted by day"
        lead="Accepted messages, and how many of them carry a notification."
        file={chartFileOf("accepted", selection)}
        {...drawn}
        series={ACCEPTED}
        height={200}
        draw={(chart) => <CountChart {...chart} />}
      />
      <ChartCard
        title={PERFORMANCE.title}
        lead="How quickly messages were delivered, in percent of accepted messages. A message can have several delays."
        file={chartFileOf("performance", selection)}
        {...drawn}
        series={SERIES.performance}
        of={PERFORMANCE.of}
        height={360}
        draw={(chart) => <LineChart {...chart} panels={PERFORMANCE_PANELS} />}
      />
      <ChartCard
        title={INSIGHTS.title}
        lead="Other observations, in percent of accepted messages."
        file={chartFileOf("insights", selection)}
        {...drawn}
        series={SERIES.insights}
        of={INSIGHTS.of}
        height={180}
        draw={(chart) => <LineChart {...chart} />}
      />
      {hasNotifications && (
        <ChartCard
          title={PROXY_RESULTS.title}
          lead="Notifications that the device showed for the app, in percent of accepted notifications. Unaccounted notifications are excluded unless you choose them."
          file={chartFileOf("proxied-notifications", selection)}
          {...drawn}
          series={SERIES.proxyResults}
          of={PROXY_RESULTS.of}
          // Often most notifications, which would leave little space for the others.
          omitted={UNACCOUNTED_NOTIFICATIONS}
          isStacked
          height={360}
          draw={(chart) => <StackedChart {...chart} />}
        />
      )}
    </>
  );
}

const SERIES = {
  performance: seriesOf(PERFORMANCE),
  insights: seriesOf(INSIGHTS),
  proxyResults: seriesOf(PROXY_RESULTS),
} as const;

/** Delays have their own scale. They are rare, so a common scale would make them unreadable. */
const PERFORMANCE_PANELS: readonly Panel[] = [
  { title: "Delivered without delay", weight: 2, has: (key) => key === "deliveredNoDelay" },
  { title: "Delayed (separate scale)", weight: 3, has: (key) => key !== "deliveredNoDelay" },
];
