import { type ReactNode, useState } from "react";
import type { EntriesSelection } from "#console/api/requests.js";
import { useServices } from "#console/api/services.js";
import {
  ANNOTATION_KINDS,
  type AnnotationKind,
  MAX_ANNOTATION_TEXT,
} from "#console/model/figures/annotation.js";
import { Segments } from "#console/ui/choose/controls.js";
import { DayField } from "#console/ui/choose/days/day-field.js";
import { Select } from "#console/ui/choose/select.js";
import { LAST_DAY } from "#src/model/day.js";
import { ChangeForm, ChoiceField, TextField } from "../../change/change-form.js";
import { useChange } from "../../change/use-change.js";
import type { DialogEnds } from "../../change/use-dialog.js";

const KINDS = Object.entries(ANNOTATION_KINDS).map(([value, text]) => ({
  value: value as AnnotationKind,
  text,
}));

export function AddAnnotation({
  selection: { project, app, range },
  onClose,
  onDone,
}: DialogEnds & { selection: EntriesSelection }): ReactNode {
  const { api } = useServices();
  const [day, setDay] = useState(range.last);
  const [kind, setKind] = useState<AnnotationKind>("RELEASE");
  const [typed, setTyped] = useState("");
  const [isOfApp, setOfApp] = useState(true);
  const text = typed.trim();
  const change = useChange(
    async () => {
      await api.createAnnotation(project, { day, kind, text, app: isOfApp ? app : undefined });
    },
    { done: () => onDone(`Added ${text}.`) },
  );
  return (
    <ChangeForm
      action="Add"
      change={change}
      isReady={text !== ""}
      onCancel={onClose}
      effect="Everyone who can see this project sees the annotation in charts, and next to incidents that begin on its day or up to two days later."
    >
      <TextField
        label="Text"
        help="For example: Release 4.2"
        value={typed}
        maxLength={MAX_ANNOTATION_TEXT}
        onChange={setTyped}
      />
      <DayField label="Day" day={day} last={LAST_DAY} onChange={setDay} />
      <ChoiceField label="Kind">
        <Select label="Kind" options={KINDS} chosen={kind} onChoose={setKind} />
      </ChoiceField>
      <ChoiceField label="About">
        <Segments
          legend="About"
          segments={[
            { title: "This app", isChosen: isOfApp, choose: () => setOfApp(true) },
            { title: "Whole project", isChosen: !isOfApp, choose: () => setOfApp(false) },
          ]}
        />
      </ChoiceField>
    </ChangeForm>
  );
}
