import type { ReactNode } from "react";
import type { AttestedAppRef, IntegrityPermission } from "#console/api/integrity-api.js";
import { useIntegrity, useIntegrityApi } from "#console/api/integrity-queries.js";
import { blockingError } from "#console/api/read-state.js";
import { usePermissions } from "#console/api/registry-queries.js";
import { Failure } from "#console/ui/states/failure.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import styles from "./attested-app-page.module.css";
import { ConfigCard } from "./config/config-card.js";
import { DebugTokensCard } from "./debug-tokens/debug-tokens-card.js";
import { FailuresCard } from "./failures/failures-card.js";
import { KeysCard } from "./keys/keys-card.js";
import { TokensCard } from "./tokens/tokens-card.js";

/** A registered app: its configuration, tokens, failures, debug tokens and keys. */
export function AttestedAppPage({ project, app: appId }: { project: string; app: string }): ReactNode {
  const api = useIntegrityApi();
  const app: AttestedAppRef = { project, app: appId };
  const config = useIntegrity(["config", app], (signal) => api.config(app, signal));
  const permissions = usePermissions(project);
  const may = (permission: IntegrityPermission): boolean => permissions?.has(permission) ?? false;
  // Without the app, nothing else could be read.
  const error = blockingError(config);
  return (
    <div className={styles.page}>
      <p>
        <ViewLink change={{ attestedApp: undefined }}>All registered apps</ViewLink>
      </p>
      {error !== undefined ? (
        <Failure error={error} />
      ) : (
        <>
          <ConfigCard app={app} config={config} mayChange={may("firebaseappcheck.appAttestConfig.update")} />
          <TokensCard app={app} />
          <FailuresCard app={app} />
          {may("firebaseappcheck.debugTokens.update") && <DebugTokensCard app={app} />}
          <KeysCard app={app} mayChange={may("firebaseappcheck.attestedKeys.delete")} />
        </>
      )}
    </div>
  );
}
