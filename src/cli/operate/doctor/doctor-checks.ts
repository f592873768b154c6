import type { Config } from "../../../server/config/config-schema.js";
import type { MirrorKeys } from "../../../server/config/delivery-data-source.js";
import type { Finding } from "./finding.js";
import { certificateFinding, directoryFindings, serverFinding } from "./local-checks.js";
import {
  clickHouseFindings,
  connectionFinding,
  credentialsFindings,
  keyFileFindings,
  keysFindings,
  postgresFindings,
} from "./remote-checks.js";

/** Runs all checks that a config needs, and yields their findings in order. */
export async function* findingsOf(config: Config): AsyncGenerator<Finding> {
  const { tls, projects, auth, control, store, messagingData } = config;
  const signIn = config.console === false ? undefined : config.console.oauth;
  yield* await directoryFindings(config.dataDir);
  yield await serverFinding(config);
  if (tls !== undefined) yield await certificateFinding(tls.certificate);
  const reachable: Promise<readonly Finding[]>[] = [
    ...auth.issuers.flatMap(({ jwksFile, jwksUri, introspectionUrl }, index) => [
      ...(jwksFile === undefined ? [] : [keyFileFindings(`auth.issuers[${index}].jwksFile`, jwksFile)]),
      ...(jwksUri === undefined ? [] : [keysFindings(`auth.issuers[${index}].jwksUri`, jwksUri)]),
      ...(introspectionUrl === undefined
        ? []
        : [connectionFinding(`auth.issuers[${index}].introspectionUrl`, introspectionUrl)]),
    ]),
    ...(signIn === undefined ? [] : [connectionFinding("console.oauth.issuer", signIn.issuer)]),
    ...projects.flatMap(({ id, deliveryData }) =>
      deliveryData.source === "mirror" ? mirrorFindings(id, deliveryData.mirror) : [],
    ),
    ...messagingData.incidents.webhooks.map(({ name, url }) => connectionFinding(`webhook ${name}`, url)),
    ...(store.engine === "clickhouse" ? store.urls.map((url) => clickHouseFindings(url, store)) : []),
    ...(control.engine === "postgres" ? [postgresFindings(control)] : []),
  ];
  for (const findings of reachable) yield* await findings;
}

function mirrorFindings(
  project: string,
  { url, appsUrl, credentialsFile }: MirrorKeys,
): Promise<readonly Finding[]>[] {
  return [
    connectionFinding(`mirror of ${project}`, url),
    ...(appsUrl === undefined ? [] : [connectionFinding(`app list of ${project}`, appsUrl)]),
    ...(credentialsFile === undefined
      ? []
      : [credentialsFindings(`credentials of the mirror of ${project}`, credentialsFile)]),
  ];
}
