import { type ReactNode, useMemo, useState } from "react";
import type { AttestedAppRef } from "#console/api/integrity-api.js";
import { useIntegrity, useIntegrityApi } from "#console/api/integrity-queries.js";
import { useServerTime } from "#console/api/services.js";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import {
  providerTitle,
  sumOfOutcomes,
  TOKEN_SERIES,
  type TokenCount,
  tokenDaysOf,
} from "#console/model/integrity/token-counts.js";
import { ChartCardOf } from "#console/ui/charts/card/chart-card.js";
import { StackedChart } from "#console/ui/charts/stacked-chart.js";
import { Segments } from "#console/ui/choose/controls.js";
import { Select } from "#console/ui/choose/select.js";
import { Card, CardHead } from "#console/ui/elements/card.js";
import { type ChartFile, fileNameOf } from "#console/ui/files/files.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import styles from "./tokens-card.module.css";

const TITLE = "App tokens";
const ALL = "";
const DAY_MS = 86_400_000;
/** Chart height in pixels. */
const HEIGHT = 280;
/** Numbers of days to choose from. The server keeps the counts of 90 days. */
const DAYS = [28, 90] as const;

const utcDayOf = (now: number): number => Math.floor(now / DAY_MS);

/** An app's issued, rejected and reused tokens, by day. */
export function TokensCard({ app }: { app: AttestedAppRef }): ReactNode {
  const api = useIntegrityApi();
  const counts = useIntegrity(["tokenCounts", app], (signal) => api.tokenCounts(app, signal), true);
  return (
    <Loaded shown={{ value: counts.data, isStale: false }} queries={[counts]} height={HEIGHT}>
      {(counts) => (counts.length === 0 ? <NoTokens /> : <Tokens app={app} counts={counts} />)}
    </Loaded>
  );
}

function Tokens({ app, counts }: { app: AttestedAppRef; counts: readonly TokenCount[] }): ReactNode {
  const today = useServerTime(utcDayOf);
  const [length, setLength] = useState<(typeof DAYS)[number]>(DAYS[0]);
  const [provider, setProvider] = useState(ALL);
  const providers = [...new Set(counts.map((count) => count.provider))].sort();
  const range = useMemo(() => ({ first: today - length + 1, last: today }), [today, length]);
  const rows = useMemo(
    () =>
      tokenDaysOf(provider === ALL ? counts : counts.filter((count) => count.provider === provider), range),
    [counts, provider, range],
  );
  const options = [
    { value: ALL, text: "All providers" },
    ...providers.map((value) => ({ value, text: providerTitle(value) })),
  ];
  return (
    <ChartCardOf
      title={TITLE}
      lead="Issued tokens, rejected exchanges and reused tokens, by day in UTC. Figures are a few seconds old."
      file={fileOf(app, range)}
      range={range}
      rows={rows}
      sum={(days) => sumOfOutcomes(days.map((day) => day.counts))}
      series={TOKEN_SERIES}
      isStacked
      height={HEIGHT}
      controls={
        <div className={styles.controls}>
          <Select label="Provider" options={options} chosen={provider} onChoose={setProvider} />
          <Segments
            legend="App tokens: days"
            segments={DAYS.map((days) => ({
              title: `${days} days`,
              isChosen: length === days,
              choose: () => setLength(days),
            }))}
          />
        </div>
      }
      draw={(chart) => <StackedChart {...chart} asCounts />}
    />
  );
}

const fileOf = ({ project, app }: AttestedAppRef, range: DayRange): ChartFile => ({
  name: "app-tokens",
  fileName: fileNameOf("app-tokens", { project, app, range, labels: undefined }),
  subtitle: `${app} · ${formatRange(range)} · days in UTC`,
});

const NoTokens = (): ReactNode => (
  <Card labelledBy="integrity-tokens">
    <CardHead id="integrity-tokens" title={TITLE}>
      <p className="soft">Issued tokens, rejected exchanges and reused tokens, by day.</p>
    </CardHead>
    <Notice title="No tokens in the last 90 days">
      <p>
        Tokens appear here a few seconds after a device asks for one. Learn how to{" "}
        <a href="../docs/guides/attest-ios-apps">attest your iOS app</a>, or start with a{" "}
        <a href="../docs/guides/debug-tokens">debug token</a>.
      </p>
    </Notice>
  </Card>
);
