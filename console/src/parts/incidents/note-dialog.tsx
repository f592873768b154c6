import { type ReactNode, useId, useState } from "react";
import { useCurrentState } from "#console/api/registry-queries.js";
import { useServices } from "#console/api/services.js";
import { type InboxIncident, MAX_NOTE } from "#console/model/figures/inbox-incident.js";
import { eventText } from "#console/model/figures/incident.js";
import { Field } from "#console/ui/choose/controls.js";
import { Dialog } from "#console/ui/dialog/dialog.js";
import { ChangeForm, WithState } from "../change/change-form.js";
import { useChange } from "../change/use-change.js";
import type { DialogEnds } from "../change/use-dialog.js";
import styles from "./note-dialog.module.css";

/** Changes an incident's note. @param name resource name of the incident. */
export function NoteDialog({ name, onClose, onDone }: { name: string } & DialogEnds): ReactNode {
  const { inbox } = useServices().api;
  const state = useCurrentState(["incident", name], (signal) => inbox.incident(name, signal));
  return (
    <Dialog title="Note about an incident" onClose={onClose}>
      <WithState state={state}>
        {(incident) => (
          <NoteForm
            incident={incident}
            reload={() => state.refetch()}
            onCancel={onClose}
            onDone={() => onDone(`Changed the note: ${eventText(incident.incident)}.`)}
          />
        )}
      </WithState>
    </Dialog>
  );
}

function NoteForm({
  incident: { name, etag, note, incident },
  reload,
  onCancel,
  onDone,
}: {
  incident: InboxIncident;
  reload: () => Promise<unknown>;
  onCancel: () => void;
  onDone: () => void;
}): ReactNode {
  const { inbox } = useServices().api;
  const [typed, setTyped] = useState(note?.text ?? "");
  const change = useChange(() => inbox.setNote(name, etag, typed.trim()), { reload, done: onDone });
  const id = useId();
  return (
    <ChangeForm
      action="Save"
      change={change}
      onCancel={onCancel}
      effect="Everyone who can read the project can see the note. The audit log records each change. An empty note is removed."
    >
      <Field>
        <label htmlFor={id}>{eventText(incident)}</label>
        <textarea
          id={id}
          className={styles.text}
          rows={4}
          maxLength={MAX_NOTE}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
    </ChangeForm>
  );
}
