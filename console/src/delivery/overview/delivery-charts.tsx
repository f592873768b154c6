import { type ReactNode, useMemo } from "react";
import { ChartCard } from "../../charts/chart-card.js";
import type { ChartDay, DayMark } from "../../charts/chart-day.js";
import { CountChart } from "../../charts/count-chart.js";
import { LineChart } from "../../charts/line-chart.js";
import { PERFORMANCE_PANELS } from "../../charts/performance-panels.js";
import { ACCEPTED, seriesOf } from "../../charts/series.js";
import { StackedChart } from "../../charts/stacked-chart.js";
import type { DayRange } from "../../days/day-range.js";
import { INSIGHTS, OUTCOMES, PERFORMANCE, PROXY_RESULTS } from "../../numbers/categories.js";

/** A chart for each group of the delivery data, one below the other with their days aligned. */
export function DeliveryCharts({
  range,
  rows,
  marks,
}: {
  range: DayRange;
  /** Days of the range; undefined while loading. */
  rows: readonly ChartDay[] | undefined;
  marks: readonly DayMark[] | undefined;
}): ReactNode {
  const hasNotifications = useMemo(
    () => rows?.some(({ counts }) => (counts.countNotificationsAccepted ?? 0) > 0) ?? false,
    [rows],
  );
  return (
    <>
      <ChartCard
        title="Accepted by day"
        lead="How many messages were accepted, and how many of them carry a notification."
        name="accepted"
        rows={rows}
        series={ACCEPTED}
        height={200}
        draw={(chart) => <CountChart {...chart} range={range} />}
      />
      <ChartCard
        title={OUTCOMES.title}
        lead="What became of the accepted messages, in percent of them."
        name="outcomes"
        rows={rows}
        series={SERIES.outcomes}
        of={OUTCOMES.of}
        marks={marks}
        height={480}
        draw={(chart) => <StackedChart {...chart} range={range} group={OUTCOMES} />}
      />
      <ChartCard
        title={PERFORMANCE.title}
        lead="How fast messages were delivered, in percent of accepted messages. A message can be delayed for several reasons."
        name="performance"
        rows={rows}
        series={SERIES.performance}
        of={PERFORMANCE.of}
        height={360}
        draw={(chart) => (
          <LineChart {...chart} range={range} group={PERFORMANCE} panels={PERFORMANCE_PANELS} />
        )}
      />
      <ChartCard
        title={INSIGHTS.title}
        lead="What else happened to messages, in percent of accepted messages."
        name="insights"
        rows={rows}
        series={SERIES.insights}
        of={INSIGHTS.of}
        height={180}
        draw={(chart) => <LineChart {...chart} range={range} group={INSIGHTS} />}
      />
      {hasNotifications && (
        <ChartCard
          title={PROXY_RESULTS.title}
          lead="What became of notifications that the device could show for the app, in percent of accepted notifications."
          name="proxied-notifications"
          rows={rows}
          series={SERIES.proxyResults}
          of={PROXY_RESULTS.of}
          height={360}
          draw={(chart) => <StackedChart {...chart} range={range} group={PROXY_RESULTS} />}
        />
      )}
    </>
  );
}

const SERIES = {
  outcomes: seriesOf(OUTCOMES),
  performance: seriesOf(PERFORMANCE),
  insights: seriesOf(INSIGHTS),
  proxyResults: seriesOf(PROXY_RESULTS),
} as const;
