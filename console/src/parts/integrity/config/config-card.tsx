import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { AttestedAppRef } from "#console/api/integrity-api.js";
import { useAppNames } from "#console/api/registry-queries.js";
import { formatTtl } from "#console/model/numbers/format-number.js";
import { Button } from "#console/ui/elements/basics.js";
import { Card, CardActions, CardHead } from "#console/ui/elements/card.js";
import { Copied } from "#console/ui/elements/copied.js";
import { Loaded } from "#console/ui/states/loaded.js";
import type { AppAttestConfigJson } from "#src/gen/waybill/integrity/v1/integrity_pb.js";
import { useDialog } from "../../change/use-dialog.js";
import styles from "./config-card.module.css";
import { LifetimeDialog } from "./lifetime-dialog.js";

export function ConfigCard({
  app,
  config,
  mayChange,
}: {
  app: AttestedAppRef;
  config: UseQueryResult<AppAttestConfigJson>;
  mayChange: boolean;
}): ReactNode {
  const dialog = useDialog<"lifetime">();
  const name = useAppNames(app.project)?.get(app.app) ?? app.app;
  return (
    <Card labelledBy="integrity-config">
      <CardHead id="integrity-config" title={name}>
        <p className="soft">
          A registered app of project {app.project}. The lifetime applies to tokens that are issued from now
          on.
        </p>
      </CardHead>
      <Loaded shown={{ value: config.data, isStale: false }} queries={[config]} height={72}>
        {({ tokenTtl = "0s", name: resource = "" }) => (
          <dl className={styles.values}>
            {name !== app.app && (
              <div>
                <dt>App ID</dt>
                <dd>
                  <Copied name="app ID" text={app.app} />
                </dd>
              </div>
            )}
            <div>
              <dt>Token lifetime</dt>
              <dd>{formatTtl(tokenTtl)}</dd>
            </div>
            <div>
              <dt>Resource name</dt>
              <dd>
                <Copied name="resource name" text={resource} />
              </dd>
            </div>
          </dl>
        )}
      </Loaded>
      {mayChange && (
        <CardActions>
          <Button onClick={() => dialog.open("lifetime")}>Change token lifetime</Button>
          {dialog.announcement}
        </CardActions>
      )}
      {dialog.shown !== undefined && <LifetimeDialog app={app} {...dialog.ends} />}
    </Card>
  );
}
