import { type ReactNode, useId, useMemo, useState } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { formatRange } from "#console/model/days/format-day.js";
import type { Incident } from "#console/model/figures/incident.js";
import { changeText, directionOf, keyFiguresOf, valueText } from "#console/model/figures/key-figures.js";
import {
  type SharedIncident,
  sharedIncidentsOf,
  sharedText,
} from "#console/model/figures/shared-incident.js";
import { acceptedOf, type Counts } from "#console/model/numbers/counts.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { viewOfIncident } from "#console/model/view/incident-view.js";
import { BadMark, Button } from "#console/ui/elements/basics.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { Figure, Figures, FigureValue } from "../overview/key-figure-tiles.js";
import styles from "../overview/state-of-delivery.module.css";
import { MissingIncidents } from "../placeholders.js";

/** Number of incidents shown at first. */
const SHOWN = 2;

/** Totals of all apps, and ongoing incidents. An incident of several apps is one line. */
export function ProjectState({
  total,
  before,
  areAlike,
  earlier,
  incidents,
  nameOf,
  lacksIncidents,
}: {
  total: Counts;
  before: Counts;
  /** True if both ranges have data for the same number of days, so that counts can be compared. */
  areAlike: boolean;
  earlier: DayRange;
  /** Ongoing incidents of all apps. Undefined while loading, or if they could not be read. */
  incidents: readonly Incident[] | undefined;
  nameOf: (app: string) => string;
  /** True if the incidents could not be read. */
  lacksIncidents: boolean;
}): ReactNode {
  const [showsAll, setShowsAll] = useState(false);
  const shared = useMemo(() => incidents && sharedIncidentsOf(incidents), [incidents]);
  const id = useId();
  return (
    <>
      <Figures label="Totals of all apps" note={`All apps. Compared with ${formatRange(earlier)}.`}>
        {keyFiguresOf(total, before, areAlike).map((figure) => {
          const text = valueText(figure);
          return (
            <Figure
              key={figure.title}
              title={figure.title}
              change={
                changeText(figure) ?? (acceptedOf(before) === 0 ? "no earlier data" : "fewer earlier days")
              }
              direction={directionOf(figure)}
            >
              <FigureValue text={text} />
            </Figure>
          );
        })}
      </Figures>
      <section className={styles.state} aria-labelledby={id}>
        <h2 id={id}>Ongoing incidents</h2>
        <div className={styles.incidents}>
          {shared === undefined ? (
            <MissingIncidents failed={lacksIncidents} />
          ) : shared.length === 0 ? (
            <p className="soft">No app has an ongoing incident.</p>
          ) : (
            <ul data-all={showsAll || undefined}>
              {shared.map((one) => (
                <SharedItem key={JSON.stringify(one.worst)} shared={one} nameOf={nameOf} />
              ))}
            </ul>
          )}
        </div>
        {/* Its space is reserved, because incidents load later. */}
        <div className={styles.controls}>
          {shared !== undefined && shared.length > 1 && (
            <Button
              look="small"
              className={styles.more}
              data-few={shared.length <= SHOWN || undefined}
              aria-expanded={showsAll}
              onClick={() => setShowsAll(!showsAll)}
            >
              {showsAll ? "Show fewer" : `Show all ${formatCount(shared.length)} incidents`}
            </Button>
          )}
        </div>
      </section>
    </>
  );
}

/** An incident in a sentence, with a link to the app that lost most. */
function SharedItem({
  shared,
  nameOf,
}: {
  shared: SharedIncident;
  nameOf: (app: string) => string;
}): ReactNode {
  const [event, rest] = sharedText(shared, nameOf);
  return (
    <li className={styles.incident}>
      <BadMark className={styles.mark} />
      <p>
        <ViewLink change={{ ...viewOfIncident(shared.worst), app: shared.worst.app }}>{event}</ViewLink>
        {rest}
      </p>
    </li>
  );
}
