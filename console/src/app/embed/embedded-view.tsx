import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { makeQueryClient } from "#console/api/read-state.js";
import { readSharedView } from "#console/api/shared-view-api.js";
import { formatInstant, formatRange } from "#console/model/days/format-day.js";
import { rowsByPeriod, totalOf } from "#console/model/figures/chart-day.js";
import { byUrgency, eventText, isAbout, marksOf } from "#console/model/figures/incident.js";
import { keyFiguresOf, valueText } from "#console/model/figures/key-figures.js";
import { bandsOf } from "#console/model/figures/usual-band.js";
import type { SharedView } from "#console/model/view/shared-view.js";
import { labelsText } from "#console/model/view/view.js";
import { DELIVERED, DeliveredChart } from "#console/parts/overview/delivered-card.js";
import { Figure, Figures, FigureTrend, FigureValue } from "#console/parts/overview/key-figure-tiles.js";
import { Card } from "#console/ui/elements/card.js";
import { Failure } from "#console/ui/states/failure.js";
import { Skeleton } from "#console/ui/states/loaded.js";
import { mirroredSumsText } from "#src/presentation/mirrored-sums.js";
import styles from "./embedded-view.module.css";

/** Interval for reading the view again, for screens that show it all day. */
const INTERVAL_MS = 900_000;
const HEIGHT = 190;

/** A link's page: a shared view without sign-in. It links to nothing and changes nothing, because any page may frame it. */
export function EmbedPage(): ReactNode {
  const [queryClient] = useState(makeQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <main className={styles.page}>
        <OfLink token={window.location.hash.slice(1)} />
      </main>
    </QueryClientProvider>
  );
}

function OfLink({ token }: { token: string }): ReactNode {
  const { data, error } = useQuery({
    queryKey: ["sharedView", token],
    queryFn: ({ signal }) => readSharedView(token, signal),
    refetchInterval: INTERVAL_MS,
  });
  // A link that has ended shows nothing, not even older figures.
  if (error !== null) return <Failure error={error} />;
  return data === undefined ? <Skeleton height={400} /> : <Shown view={data} />;
}

function Shown({
  view: { title, app, labels, range, rows, excludedEntries, incidents, expires },
}: {
  view: SharedView;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Waybill`;
  }, [title]);
  const ranked = byUrgency(incidents);
  return (
    <>
      <header>
        <h1 className={styles.title}>{title}</h1>
        <p className="soft">
          {[app, labels && labelsText(labels), formatRange(range)].filter(Boolean).join(" · ")}
        </p>
      </header>
      {excludedEntries !== undefined && <p className="soft">{mirroredSumsText(excludedEntries)}</p>}
      {rows.length === 0 ? (
        <p>{excludedEntries === undefined ? "No messages" : "No figures"} on these days.</p>
      ) : (
        <>
          <Figures label="Key figures" note="Percentages are of accepted messages.">
            {keyFiguresOf(totalOf(rows), undefined).map((figure) => (
              <Figure
                key={figure.title}
                title={figure.title}
                trend={<FigureTrend figure={figure} range={range} rows={rows} />}
              >
                <FigureValue text={valueText(figure)} />
              </Figure>
            ))}
          </Figures>
          <Card labelledBy="delivered">
            <h2 id="delivered">Delivered share</h2>
            <DeliveredChart
              label="Delivered share, by day"
              rows={rowsByPeriod(rows, range, totalOf)}
              sum={totalOf}
              range={range}
              series={DELIVERED}
              bands={bandsOf(range, undefined, incidents.filter(isAbout(labels)))}
              marks={marksOf(ranked, range)}
              namesMarks
              height={HEIGHT}
            />
          </Card>
        </>
      )}
      {ranked.length > 0 && (
        <section aria-label="Incidents">
          {ranked.map((incident) => (
            <p key={`${incident.label} ${incident.kind} ${incident.outcome} ${incident.firstDay}`}>
              {eventText(incident)}.
            </p>
          ))}
        </section>
      )}
      <footer className="small soft">Waybill. This link expires on {formatInstant(expires)}.</footer>
    </>
  );
}
