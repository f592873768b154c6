import { type ReactNode, useMemo } from "react";
import type { AttestedApp } from "#console/api/integrity-api.js";
import { useIntegrity, useIntegrityApi } from "#console/api/integrity-queries.js";
import { useAppNames } from "#console/api/registry-queries.js";
import { formatTtl } from "#console/model/numbers/format-number.js";
import { Card } from "#console/ui/elements/card.js";
import { Copied } from "#console/ui/elements/copied.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { DataTable } from "#console/ui/tables/data-table.js";
import type { TableColumn } from "#console/ui/tables/rows.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import styles from "./attested-apps.module.css";

const TITLE = "Apps and token lifetimes";

/** The App Check apps of a project, with their token lifetimes. */
export function AttestedApps({ project }: { project: string }): ReactNode {
  const api = useIntegrityApi();
  const apps = useIntegrity(["apps", project], (signal) => api.apps(project, signal));
  const names = useAppNames(project);
  const columns = useMemo(() => columnsOf(names ?? new Map()), [names]);
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
            <DataTable caption={TITLE} columns={columns} rows={apps} rowKey={({ appId }) => appId} hasCards />
          )
        }
      </Loaded>
    </Card>
  );
}

/** @param names display names, by app id */
const columnsOf = (names: ReadonlyMap<string, string>): readonly TableColumn<AttestedApp>[] => [
  {
    id: "app",
    title: "App",
    kind: "text",
    cellOf: ({ appId }) => <AppName app={appId} name={names.get(appId) ?? appId} />,
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
    cellOf: ({ config }) => <code className="soft">{config.name}</code>,
  },
];

/** A registered app with its id, which links to its page. */
const AppName = ({ app, name }: { app: string; name: string }): ReactNode =>
  name === app ? (
    <ViewLink change={{ attestedApp: app }} className="mono">
      {app}
    </ViewLink>
  ) : (
    <div className={styles.name}>
      <ViewLink change={{ attestedApp: app }}>{name}</ViewLink>
      <span className="small soft">
        <Copied name={`ID of ${name}`} text={app} isQuiet />
      </span>
    </div>
  );

const NoApps = (): ReactNode => (
  <Notice title="This project has no registered apps">
    <p>
      An owner can register apps in <em>Settings</em>. Your server operator can also add them under{" "}
      <code>projects</code> in the config file.
    </p>
  </Notice>
);
