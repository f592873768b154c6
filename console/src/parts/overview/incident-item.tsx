import type { ReactNode } from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import { daysOfIncident, eventText, figuresText, type Incident } from "#console/model/figures/incident.js";
import { ViewLink } from "#console/ui/view/view-link.js";
import styles from "./incident-item.module.css";

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
