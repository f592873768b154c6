import { type ReactNode, useId, useMemo, useState } from "react";
import { useLastListedDay } from "#console/api/services.js";
import { eventText, figuresText, type Incident, scopeText } from "#console/model/figures/incident.js";
import { keyFiguresOf, verdictOf } from "#console/model/figures/key-figures.js";
import { isEvaluated, type OverviewDays } from "#console/model/figures/overview-days.js";
import { outsideOf, type Standing, standingOf } from "#console/model/figures/standing.js";
import { OUTCOMES, shareOf } from "#console/model/numbers/categories.js";
import { formatCount, formatPercent } from "#console/model/numbers/format-number.js";
import { viewOfIncident } from "#console/model/view/incident-view.js";
import { BadMark, Button } from "#console/ui/elements/basics.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { MissingIncidents } from "../placeholders.js";
import { useSelection } from "../selection.js";
import { Rules } from "./rules.js";
import styles from "./state-of-delivery.module.css";
import type { OverviewIncidents } from "./use-overview.js";

/** Number of incidents shown at first on a wide screen, as in the style sheet. A narrow screen shows one. */
const SHOWN = 2;

/** The delivered share and each incident, in sentences. */
export function StateOfDelivery({
  days,
  incidents,
  lacksIncidents,
}: {
  /** Undefined while loading. */
  days: OverviewDays | undefined;
  /** Undefined while loading, or if they could not be read. */
  incidents: OverviewIncidents | undefined;
  /** True if they could not be read. */
  lacksIncidents: boolean;
}): ReactNode {
  const listed = useLastListedDay();
  const [showsAll, setShowsAll] = useState(false);
  const [showsRules, setShowsRules] = useState(false);
  const id = useId();
  const ofRange = incidents?.ofRange ?? [];
  const count = ofRange.length;
  const standing = useMemo(
    () =>
      days !== undefined && incidents?.compared !== undefined && isEvaluated(days, listed)
        ? standingIn(days, incidents)
        : undefined,
    [days, incidents, listed],
  );
  return (
    <section className={styles.state} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <span className={styles.share}>
          {formatPercent(days && shareOf(days.total, OUTCOMES, "delivered"))}
        </span>
        {days !== undefined && " delivered"}
        {count > 0 && `, with ${count === 1 ? "1 incident" : `${formatCount(count)} incidents`}`}
        {count === 0 && standing?.short !== undefined && `, ${standing.short}`}
      </h2>
      <div className={styles.incidents}>
        {incidents?.compared === undefined || days === undefined ? (
          <MissingIncidents failed={lacksIncidents} />
        ) : count === 0 ? (
          <p className="soft">
            {standing?.text ??
              "No incidents found. Detection needs 14 days with messages and covers the last 400 days."}
          </p>
        ) : (
          <ul data-all={showsAll || undefined}>
            {ofRange.map((incident) => (
              <IncidentItem
                key={`${incident.label} ${incident.kind} ${incident.outcome} ${incident.firstDay}`}
                incident={incident}
              />
            ))}
          </ul>
        )}
      </div>
      <div className={styles.controls}>
        <Button
          look="small"
          aria-expanded={showsRules}
          aria-controls={`${id}-rules`}
          onClick={() => setShowsRules(!showsRules)}
        >
          How is this decided?
        </Button>
        {count > 1 && (
          <Button
            look="small"
            className={styles.more}
            data-few={count <= SHOWN || undefined}
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
          >
            {showsAll ? "Show fewer" : `Show all ${formatCount(count)} incidents`}
          </Button>
        )}
      </div>
      <div id={`${id}-rules`} hidden={!showsRules}>
        <Rules />
      </div>
    </section>
  );
}

/** Describes days without incidents, with the same test as the key figures. */
function standingIn(days: OverviewDays, { usual, compared }: OverviewIncidents): Standing {
  const delivered = keyFiguresOf(days.total, days.before).find(({ series }) => series?.key === "delivered");
  return standingOf(
    delivered && compared && verdictOf(delivered, compared),
    days.earlier,
    usual && outsideOf(days.rows, days.range, usual),
  );
}

/** An incident in a sentence, with a link to its labels. */
function IncidentItem({ incident }: { incident: Incident }): ReactNode {
  const { labels } = useSelection();
  return (
    <li className={styles.incident}>
      <BadMark className={styles.mark} />
      <p>
        <ViewLink change={viewOfIncident(incident)}>{eventText(incident)}</ViewLink>:{" "}
        <span className={styles.figures}>
          {figuresText(incident)}.{scopeText(incident, labels)}
        </span>
      </p>
    </li>
  );
}
