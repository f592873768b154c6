import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useServices } from "../../api/services.js";
import type { AttestedApp } from "../../api/waybill-api.js";
import { formatTtl } from "../../model/numbers/format-ttl.js";
import { Card } from "../../ui/elements/card.js";
import { Loaded } from "../../ui/states/loaded.js";
import { Notice } from "../../ui/states/notice.js";
import { DataTable } from "../../ui/tables/data-table.js";
import type { TableColumn } from "../../ui/tables/table-column.js";
import { useChoices } from "../use-choices.js";

const TITLE = "Apps and their attestation";

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
      <Notice title="This server does not know the app-integrity service">
        <p>
          The service runs elsewhere. The operator of this server can set its address:{" "}
          <code>integrityUrl</code> in the configuration.
        </p>
      </Notice>
    );
  }
  return (
    <Card>
      <h2>{TITLE}</h2>
      <p className="soft">
        The lifetime of the token that an app gets for a valid attestation, in the project {id}: one hour
        unless set otherwise.
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
    title: "Token lives for",
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
