import { readAddress } from "../../control/postgres/postgres-options.js";
import { readConnectionOptions } from "../../store/clickhouse/clickhouse-engine.js";
import { introspectionOf } from "../access/issuers.js";
import { attestationRoot } from "../app-attest.js";
import { readTlsMaterial } from "../listen/tls.js";
import { webhookKeys } from "../messaging-data/webhooks.js";
import { openAdminToken } from "../operators/admin-access.js";
import type { Config } from "./config-schema.js";

/** Reads the files that a server reads at its start. Returns a problem for each unusable file. */
export async function fileProblems(config: Config): Promise<readonly string[]> {
  const { admin, auth, control, messagingData, store, tls } = config;
  const reads = [
    tls && readTlsMaterial(tls),
    admin.tokenFile && openAdminToken(config),
    attestationRoot(config),
    control.engine === "postgres" && readAddress(control),
    store.engine === "clickhouse" && readConnectionOptions(store),
    ...auth.issuers.map((issuer, index) => introspectionOf(issuer, `auth.issuers[${index}]`)),
    ...messagingData.incidents.webhooks.map(({ secretFile }, index) => webhookKeys(secretFile, index)),
  ];
  const results = await Promise.allSettled(reads);
  return results.flatMap((result) =>
    result.status === "rejected" ? [(result.reason as Error).message] : [],
  );
}
