import { type ReactNode, useMemo } from "react";
import { useRegistry, useRegistryApi } from "#console/api/registry-queries.js";
import { formatInstant } from "#console/model/days/format-day.js";
import {
  NAMESPACES,
  PLATFORMS,
  type RegisteredApp,
  sortedApps,
} from "#console/model/registry/registered-app.js";
import { ChoiceRow, SearchField } from "#console/ui/choose/controls.js";
import { Button } from "#console/ui/elements/basics.js";
import { Card, CardActions, CardBody, CardHead } from "#console/ui/elements/card.js";
import { Copied } from "#console/ui/elements/copied.js";
import { Item, ItemList } from "#console/ui/lists/item-list.js";
import { Loaded } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { ShownRows, useFoundRows } from "#console/ui/tables/found-rows.js";
import { isContained } from "#console/ui/tables/rows.js";
import { OfFile } from "../../change/of-file.js";
import { useDialog } from "../../change/use-dialog.js";
import { AppDialog, type AppDialogKind } from "./app-dialogs.js";

/** Number of apps that "Show more" adds. */
const STEP = 50;

export function AppsCard({ project, mayChange }: { project: string; mayChange: boolean }): ReactNode {
  const registry = useRegistryApi();
  const apps = useRegistry(["apps", project], (signal) => registry.apps(project, signal));
  const dialog = useDialog<AppDialogKind>();
  return (
    <Card labelledBy="settings-apps">
      <CardHead id="settings-apps" title="Registered apps">
        <p className="soft">
          The apps in project {project}, on all platforms. An SDK or a build needs the app ID.
        </p>
      </CardHead>
      {mayChange && (
        <CardActions>
          <Button onClick={() => dialog.open({ kind: "create" })}>Register an app</Button>
          {dialog.announcement}
        </CardActions>
      )}
      <Loaded shown={{ value: apps.data, isStale: false }} queries={[apps]} height={240}>
        {(apps) => (
          <AppList
            apps={apps}
            actionsOf={mayChange ? (app) => <AppActions app={app} open={dialog.open} /> : () => undefined}
          />
        )}
      </Loaded>
      {dialog.shown !== undefined && <AppDialog project={project} dialog={dialog.shown} {...dialog.ends} />}
    </Card>
  );
}

function AppList({
  apps,
  actionsOf,
}: {
  apps: readonly RegisteredApp[];
  actionsOf: (app: RegisteredApp) => ReactNode;
}): ReactNode {
  const sorted = useMemo(() => sortedApps(apps), [apps]);
  const list = useFoundRows(sorted, isAppFound, STEP);
  if (apps.length === 0) {
    return (
      <Notice title="No registered apps">
        <p>Register an app to get its ID.</p>
      </Notice>
    );
  }
  return (
    <CardBody>
      <ChoiceRow>
        <SearchField label="Search registered apps" value={list.search} onChange={list.setSearch} />
      </ChoiceRow>
      {list.shown.length > 0 && (
        <ItemList label="Registered apps">
          {list.shown.map((app) => (
            <AppItem key={app.id} app={app} actions={actionsOf(app)} />
          ))}
        </ItemList>
      )}
      <CardActions>
        <ShownRows rows={list} all={list.found.length} what="apps" more="registered apps" />
      </CardActions>
    </CardBody>
  );
}

const isAppFound = ({ id, displayName, namespace = "" }: RegisteredApp, search: string): boolean =>
  isContained([id, displayName, namespace], search);

function AppItem({ app, actions }: { app: RegisteredApp; actions: ReactNode }): ReactNode {
  const { id, title, platform, namespace, isRemoved, expires, isOfFile } = app;
  return (
    <Item
      title={title}
      isFaded={isRemoved}
      actions={isOfFile ? undefined : actions}
      details={
        <>
          <span>{platform === undefined ? "No platform" : PLATFORMS[platform]}</span>
          {namespace !== undefined && platform !== undefined && (
            <span>
              {NAMESPACES[platform]} <code>{namespace}</code>
            </span>
          )}
          <span>
            App ID <Copied name={`app ID of ${title}`} text={id} />
          </span>
        </>
      }
    >
      {(isOfFile || isRemoved) && (
        <p className="small">
          {isOfFile ? (
            <OfFile what="app" />
          ) : (
            <>
              <strong>Removed</strong>
              {expires !== undefined && `: you can restore it until ${formatInstant(expires)}.`}
            </>
          )}
        </p>
      )}
    </Item>
  );
}

function AppActions({ app, open }: { app: RegisteredApp; open: (dialog: AppDialogKind) => void }): ReactNode {
  if (app.isRemoved) {
    return (
      <Button look="small" aria-label={`Restore ${app.title}`} onClick={() => open({ kind: "restore", app })}>
        Restore
      </Button>
    );
  }
  return (
    <>
      <Button look="small" aria-label={`Rename ${app.title}`} onClick={() => open({ kind: "rename", app })}>
        Rename
      </Button>
      <Button look="small" aria-label={`Remove ${app.title}`} onClick={() => open({ kind: "remove", app })}>
        Remove
      </Button>
    </>
  );
}
