import type { ReactNode } from "react";
import { INCIDENTS_PERMISSION } from "#console/api/incidents-api.js";
import { useInbox } from "#console/api/queries.js";
import { useAppNames, usePermissions } from "#console/api/registry-queries.js";
import {
  INCIDENT_STATES,
  type InboxIncident,
  type IncidentState,
} from "#console/model/figures/inbox-incident.js";
import { ChoiceRow, Segments } from "#console/ui/choose/controls.js";
import { Card, CardHead } from "#console/ui/elements/card.js";
import { ItemList, NextPage } from "#console/ui/lists/item-list.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { changeView, useView } from "#console/ui/view/use-view.js";
import { useDialog } from "../change/use-dialog.js";
import { useChoices } from "../selection.js";
import { InboxItem } from "./inbox-item.js";
import { NoteDialog } from "./note-dialog.js";

/** Approximate height of the list, in pixels. */
const HEIGHT = 600;

const TITLES: Readonly<Record<IncidentState, string>> = {
  OPEN: "Open",
  ACKNOWLEDGED: "Acknowledged",
  ENDED: "Ended",
};

const NONE: Readonly<Record<IncidentState, { readonly title: string; readonly text: string }>> = {
  OPEN: {
    title: "No open incidents",
    text: "New incidents appear here until they are acknowledged or end.",
  },
  ACKNOWLEDGED: {
    title: "No acknowledged incidents",
    text: "Acknowledged incidents stay here until they end.",
  },
  ENDED: {
    title: "No ended incidents",
    text: "Incidents of the last 400 listed days appear here after they end.",
  },
};

export default function Incidents(): ReactNode {
  const { incidentState: state } = useView();
  const { project } = useChoices();
  return project && <Inbox project={project.id} state={state} />;
}

function Inbox({ project, state }: { project: string; state: IncidentState }): ReactNode {
  const inbox = useInbox(project, state);
  const names = useAppNames(project);
  const mayChange = usePermissions(project)?.has(INCIDENTS_PERMISSION) === true;
  const dialog = useDialog<InboxIncident>();
  const incidents = inbox.data?.pages.flatMap(({ items }) => items);
  return (
    <Card labelledBy="incidents-title">
      <CardHead id="incidents-title" title="Incidents">
        <p className="soft">
          All apps in the project, newest incidents first.{" "}
          <a href="../docs/concepts/incidents">Learn more about incidents</a>.
        </p>
      </CardHead>
      <ChoiceRow>
        <Segments
          legend="State"
          segments={INCIDENT_STATES.map((each) => ({
            title: TITLES[each],
            isChosen: each === state,
            choose: () => changeView({ incidentState: each }, "replace"),
          }))}
        />
      </ChoiceRow>
      {dialog.announcement}
      <Loaded shown={{ value: incidents, isStale: false }} queries={[inbox]} height={HEIGHT}>
        {(incidents) =>
          incidents.length === 0 ? (
            <Notice title={NONE[state].title}>
              <p>{NONE[state].text}</p>
            </Notice>
          ) : (
            <ItemList label={`${TITLES[state]} incidents`}>
              {incidents.map((each) => (
                <InboxItem
                  key={each.name}
                  inboxIncident={each}
                  appName={names?.get(each.incident.app) ?? each.incident.app}
                  mayChange={mayChange}
                  onNote={() => dialog.open(each)}
                  onDone={dialog.ends.onDone}
                />
              ))}
            </ItemList>
          )
        }
      </Loaded>
      <NextPage of={inbox}>Show older incidents</NextPage>
      {dialog.shown !== undefined && <NoteDialog name={dialog.shown.name} {...dialog.ends} />}
    </Card>
  );
}
