import type { ReactNode } from "react";
import type { AttestedApp } from "#console/api/integrity-api.js";
import { useIntegrity, useIntegrityApi } from "#console/api/integrity-queries.js";
import { formatTtl } from "#console/model/numbers/format-number.js";
import { Card } from "#console/ui/elements/card.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import { ViewLink } from "#console/ui/view/use-view.js";

const TITLE = "Apps and token lifetimes";

/** The App Check apps of a project, with their token lifetimes. */
export function AttestedApps({ project }: { project: string }): ReactNode {
  const api = useIntegrityApi();
  const apps = useIntegrity(["apps", project], (signal) => api.apps(project, signal));
  return (
    <Card>
      <h2>{TITLE}</h2>
      <p className="soft">
        Apps in project {project} exchange a valid attestation for a token. By default, a token is valid for
        one hour. Open an app to see its tokens, failures and keys.
      </p>
      <Loaded shown={{ value: apps.data, isStale: false }} queries={[apps]} height={240}>
        {(apps) =>
          apps.length === 0 ? (
            <NoApps />
          ) : (
            <DataTable caption={TITLE} columns={COLUMNS} rows={apps} rowKey={({ appId }) => appId} />
          )
        }
      </Loaded>
    </Card>
  );
}

const COLUMNS: readonly TableColumn<AttestedApp>[] = [
  {
    id: "app",
    title: "App",
    kind: "text",
    cellOf: ({ appId }) => (
      <ViewLink change={{ attestedApp: appId }} className="mono">
        {appId}
      </ViewLink>
    ),
  },
  {
    id: "tokenTtl",
    title: "Token lifetime",
    kind: "text",
    cellOf: ({ config }) => formatTtl(config.tokenTtl ?? "0s"),
  },
  {
    id: "name",
    title: "Resource name",
    kind: "text",
    cellOf: ({ config }) => <span className="mono soft">{config.name}</span>,
  },
];

const NoApps = (): ReactNode => (
  <Notice title="This project has no registered apps">
    <p>
      An owner can register apps in <em>Settings</em>. Your server operator can also add them under{" "}
      <code>projects</code> in the config file.
    </p>
  </Notice>
);
