import { useQuery } from "@tanstack/react-query";
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

/** The apps of a project in the app-integrity service, with their token lifetimes. */
export default function AttestedApps(): ReactNode {
  const { api } = useServices();
  const { project } = useChoices();
  const id = project?.projectId ?? "";
  const apps = useQuery({
    queryKey: ["attestedApps", id],
    queryFn: ({ signal }) => api.attestedApps(id, signal),
    enabled: api.knowsIntegrity,
  });
  if (!api.knowsIntegrity) {
    return (
      <Notice title="The address of the app-integrity service is missing">
        <p>
          The operator of this server can set it: <code>integrityUrl</code> in the configuration.
        </p>
      </Notice>
    );
  }
  return (
    <Card>
      <h2>{TITLE}</h2>
      <p className="soft">
        An app of the project {id} gets a token for a valid attestation. The token is valid for an hour unless
        configured otherwise.
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
  <Notice title="No app is registered in this project">
    <p>
      The configuration of the server lists the apps of the app-integrity service, under <code>projects</code>
      .
    </p>
  </Notice>
);
