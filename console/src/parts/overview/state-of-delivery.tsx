import { type ReactNode, useId, useState } from "react";
import { useLastListedDay } from "#console/api/services.js";
import type { DayRange } from "#console/model/days/day-range.js";
import { daysOfIncident, eventText, figuresText, type Incident } from "#console/model/figures/incident.js";
import { isJudged, type OverviewDays } from "#console/model/figures/overview-days.js";
import { OUTCOMES, shareOf } from "#console/model/numbers/categories.js";
import { formatCount, formatPercent } from "#console/model/numbers/format-number.js";
import { Button } from "#console/ui/elements/basics.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { MissingIncidents } from "../placeholders.js";
import { Rules } from "./rules.js";
import styles from "./state-of-delivery.module.css";

/** Incidents in sight at first on a wide screen, as in the style sheet. A narrow one shows one. */
const SHOWN = 2;

/** The state of messages in a sentence, and each incident in another one. */
export function StateOfDelivery({
  range,
  days,
  incidents,
  lacksIncidents,
}: {
  range: DayRange;
  /** Undefined while loading. */
  days: OverviewDays | undefined;
  /** The most urgent first; undefined if they have not been read. */
  incidents: readonly Incident[] | undefined;
  /** True if they could not be read. */
  lacksIncidents: boolean;
}): ReactNode {
  const listed = useLastListedDay();
  const [showsAll, setShowsAll] = useState(false);
  const [showsRules, setShowsRules] = useState(false);
  const id = useId();
  const count = incidents?.length ?? 0;
  const wasJudged = days !== undefined && isJudged(days, listed);
  return (
    <section className={styles.state} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <span className={styles.share}>
          {formatPercent(days && shareOf(days.total, OUTCOMES, "delivered"))}
        </span>
        {days !== undefined && " delivered"}
        {count > 0 && `, with ${count === 1 ? "1 incident" : `${formatCount(count)} incidents`}`}
        {incidents !== undefined && count === 0 && wasJudged && ", as usual"}
      </h2>
      <div className={styles.incidents}>
        {incidents === undefined || days === undefined ? (
          <MissingIncidents failed={lacksIncidents} />
        ) : count === 0 ? (
          <p className="soft">
            {wasJudged
              ? "No label, and not the app as a whole, was out of its usual band."
              : "No incident was found. Days are judged once 14 days had messages, up to 400 days back."}
          </p>
        ) : (
          <ul data-all={showsAll || undefined}>
            {incidents.map((incident) => (
              <IncidentItem
                key={`${incident.label} ${incident.outcome} ${incident.firstDay}`}
                incident={incident}
                range={range}
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

/** An incident in a sentence, which leads to the labels of its days. */
export function IncidentItem({
  incident,
  range,
}: {
  incident: Incident;
  /** Days of the view, with which an incident that goes on ends. */
  range: DayRange;
}): ReactNode {
  const days = daysOfIncident(incident, range.last);
  return (
    <li className={styles.incident}>
      <svg className={styles.mark} width="12" height="11" aria-hidden="true">
        <path d="M0,0h12l-6,11z" />
      </svg>
      <p>
        <ViewLink change={{ tab: "labels", range: { kind: "own", range: days } }}>
          {eventText(incident)}
        </ViewLink>
        : {figuresText(incident)}.
      </p>
    </li>
  );
}
