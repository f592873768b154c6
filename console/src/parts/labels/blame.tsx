import type { ReactNode } from "react";
import { type Incident, incidentText, rankIncidents, subjectText } from "../../model/figures/incident.js";
import { formatCount } from "../../model/numbers/format-number.js";

/** Incidents that are told; the table has the excess of all. */
const TOLD = 3;

/** Names who is out of the ordinary, the most messages beyond the usual ones first, and explains the table. */
export function Blame({ incidents }: { incidents: readonly Incident[] }): ReactNode {
  const ranked = rankIncidents(incidents);
  return (
    <>
      {ranked.length === 0 && <p>Nothing is out of the ordinary on these days.</p>}
      {ranked.slice(0, TOLD).map((incident) => (
        <p key={`${incident.label} ${incident.outcome} ${incident.firstDay}`}>
          <strong>{subjectText(incident)}</strong>: {incidentText(incident)}.
        </p>
      ))}
      {ranked.length > TOLD && <p>Smaller incidents: {formatCount(ranked.length - TOLD)}.</p>}
      <p className="small soft">
        A label is judged once it has 14 days with messages. Undelivered messages are pending, collapsed,
        dropped or unaccounted for. The mark on a bar is the part that the label has in accepted messages: a
        bar that reaches beyond it loses more than its part.
      </p>
    </>
  );
}
