import type { ReactNode } from "react";
import { eventText, figuresText, type Incident, rankIncidents } from "#console/model/figures/incident.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { MissingIncidents } from "../missing-incidents.js";

/** Incidents that are told; the table has the excess of all. */
const TOLD = 3;

/** Names who is out of the ordinary, the most messages beyond the usual ones first, and explains the table. */
export function Blame({
  incidents,
  lacksIncidents,
}: {
  /** Undefined if they have not been read. */
  incidents: readonly Incident[] | undefined;
  /** True if they could not be read. */
  lacksIncidents: boolean;
}): ReactNode {
  const ranked = rankIncidents(incidents ?? []);
  return (
    <>
      {incidents === undefined && <MissingIncidents failed={lacksIncidents} />}
      {incidents?.length === 0 && <p>Nothing is out of the ordinary on these days.</p>}
      {ranked.slice(0, TOLD).map((incident) => (
        <p key={`${incident.label} ${incident.outcome} ${incident.firstDay}`}>
          <strong>{eventText(incident)}</strong>: {figuresText(incident)}.
        </p>
      ))}
      {ranked.length > TOLD && <p>Smaller incidents: {formatCount(ranked.length - TOLD)}.</p>}
      <p className="small soft">
        A label is judged once it has 14 days with messages. The usual delivered share is that of its
        incident, otherwise that of the 28 days before. Undelivered messages are pending, collapsed, dropped
        or unaccounted for. The mark on a bar is the part that the label has in accepted messages: a bar that
        reaches beyond it loses more than its part.
      </p>
    </>
  );
}
