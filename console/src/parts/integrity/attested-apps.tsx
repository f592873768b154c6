import { skipToken, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useServices } from "#console/api/services.js";
import type { AttestedApp } from "#console/api/waybill-api.js";
import { formatTtl } from "#console/model/numbers/format-number.js";
import { Card } from "#console/ui/elements/card.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import { useChoices } from "../selection.js";

const TITLE = "Apps and token lifetimes";

/** The App Check apps of a project, with their token lifetimes. */
export default function AttestedApps(): ReactNode {
  const { api } = useServices();
  const { project } = useChoices();
  const id = project?.id;
  const apps = useQuery({
    queryKey: ["attestedApps", id],
    queryFn:
      id === undefined || !api.knowsIntegrity ? skipToken : ({ signal }) => api.attestedApps(id, signal),
  });
  if (!api.knowsIntegrity) {
    return (
      <Notice title="The app-integrity address is not configured">
        <p>
          Ask your server operator to set <code>integrityUrl</code> in the config file.
        </p>
      </Notice>
    );
  }
  return (
    <Card>
      <h2>{TITLE}</h2>
      <p className="soft">
        Apps in project {id} exchange a valid attestation for a token. By default, a token is valid for one
        hour.
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
  { id: "app", title: "App", kind: "text", cellOf: ({ appId }) => <span className="mono">{appId}</span> },
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
