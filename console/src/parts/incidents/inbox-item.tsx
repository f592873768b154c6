import type { ReactNode } from "react";
import { useServices } from "#console/api/services.js";
import { formatInstant } from "#console/model/days/format-day.js";
import type { InboxIncident, Mark } from "#console/model/figures/inbox-incident.js";
import { eventText, figuresText } from "#console/model/figures/incident.js";
import { viewOfIncident } from "#console/model/view/incident-view.js";
import { Button, Problem } from "#console/ui/elements/basics.js";
import { Item } from "#console/ui/lists/item-list.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import { useChange } from "../change/use-change.js";
import styles from "./inbox-item.module.css";

/** An incident with its app, acknowledgement, note and webhook deliveries. */
export function InboxItem({
  inboxIncident,
  appName,
  mayChange,
  onNote,
  onDone,
}: {
  inboxIncident: InboxIncident;
  appName: string;
  /** True if the viewer may acknowledge it. */
  mayChange: boolean;
  /** Opens the dialog for the note. */
  onNote: () => void;
  /** Called after a change, with the message to announce. */
  onDone: (message: string) => void;
}): ReactNode {
  const { inbox } = useServices().api;
  const { incident, acknowledged, note, deliveries } = inboxIncident;
  const event = eventText(incident);
  const isAcknowledged = acknowledged !== undefined;
  const change = useChange(
    () => (isAcknowledged ? inbox.reopen(inboxIncident) : inbox.acknowledge(inboxIncident)),
    { done: () => onDone(`${isAcknowledged ? "Reopened" : "Acknowledged"}: ${event}.`) },
  );
  const label = isAcknowledged ? "Reopen" : "Acknowledge";
  const noteLabel = note === undefined ? "Add a note" : "Edit the note";
  const problem =
    change.problem ?? (change.conflict && "Somebody else has changed this incident. Check it again.");
  return (
    <Item
      title={<ViewLink change={{ app: incident.app, ...viewOfIncident(incident) }}>{event}</ViewLink>}
      details={
        <>
          <span title={incident.app}>{appName}</span>
          <span>{figuresText(incident)}</span>
          {isAcknowledged && (
            <span>
              Acknowledged <By mark={acknowledged} />
            </span>
          )}
          {deliveries.map((delivery) => (
            <span key={delivery}>Webhook {delivery}</span>
          ))}
        </>
      }
      actions={
        mayChange && (
          <>
            <Button
              look="small"
              aria-label={`${label}: ${event}, ${appName}`}
              aria-disabled={change.isBusy}
              onClick={() => !change.isBusy && change.run()}
            >
              {label}
            </Button>
            <Button look="small" aria-label={`${noteLabel}: ${event}, ${appName}`} onClick={onNote}>
              {noteLabel}
            </Button>
          </>
        )
      }
    >
      {note !== undefined && (
        <div className={styles.note}>
          <p>{note.text}</p>
          <p className="small soft">
            <By mark={note} />
          </p>
        </div>
      )}
      <Problem>{problem}</Problem>
    </Item>
  );
}

const By = ({ mark: { principal, time } }: { mark: Mark }): ReactNode => (
  <>
    by {principal}, <time dateTime={new Date(time).toISOString()}>{formatInstant(time)}</time>
  </>
);
