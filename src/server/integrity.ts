import type { Logger } from "pino";
import { type Caller, inProject, ofApp, principalId } from "../api/caller.js";
import type { ServiceImplementation } from "../api/service.js";
import { LOCAL_ISSUER } from "../auth/tokens/local-issuer.js";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { AppAttestConfigs, type OverriddenValue } from "../integrity/app-attest-configs.js";
import { configName, durationJson } from "../integrity/config-resource.js";
import { exchangeCustomTokenHandler } from "../integrity/custom-tokens/exchange-custom-token-handler.js";
import {
  debugTokenHandlers,
  exchangeDebugTokenHandler,
} from "../integrity/debug-tokens/debug-token-handlers.js";
import { DebugTokens } from "../integrity/debug-tokens/debug-tokens.js";
import { AttestationFailures } from "../integrity/failures/attestation-failures.js";
import { listFailuresHandler } from "../integrity/failures/list-handler.js";
import { batchGetHandler, getHandler } from "../integrity/get-handlers.js";
import { listAppsHandler } from "../integrity/list-apps-handler.js";
import { listTokenCountsHandler } from "../integrity/token-counts/list-handler.js";
import { TokenCounts } from "../integrity/token-counts/token-counts.js";
import { jwksRoutes } from "../integrity/tokens/jwks-routes.js";
import { TokenIssuer } from "../integrity/tokens/token-issuer.js";
import { TokenKeyRing } from "../integrity/tokens/token-keys.js";
import { TokenSigner } from "../integrity/tokens/token-signer.js";
import { verifyHandler } from "../integrity/tokens/verify-handler.js";
import { updateHandler } from "../integrity/update-handler.js";
import { tokenRoutes } from "./access/token-routes.js";
import { appAttestHandlers } from "./app-attest.js";
import type { RunningService, ServerParts } from "./server-parts.js";

export interface IntegrityServer extends RunningService {
  /**
   * Logs each value of the config file that a stored change overrides.
   *
   * @throws StoreUnavailableError if the changes cannot be read.
   */
  readonly warnOfOverridden: () => Promise<void>;
}

/**
 * Opens the app-integrity service.
 *
 * @throws KeyError if the token keys are damaged.
 * @throws StoreUnavailableError if the records cannot be read or written.
 */
export async function openIntegrity(parts: ServerParts): Promise<IntegrityServer> {
  // The service uses the adjustable clock for app tokens and attestations, so that tests can see them expire.
  const { registry, pageTokens, control, logger, dayClock: clock, clock: machineClock } = parts;
  const configs = await AppAttestConfigs.open({ records: control.records, registry });
  const warnOfOverridden = async (): Promise<void> => {
    for (const overridden of await configs.overridden()) logOverridden(overridden, logger);
  };
  await warnOfOverridden();
  const keys = await openKeys(parts);
  const { metrics } = parts;
  const counts = openCounts(parts);
  const issuer = new TokenIssuer({
    keys,
    signer: new TokenSigner(parts.principalCalls),
    configs,
    issuerName: issuerNameOf(parts),
    clock,
    onIssued: (app, provider) => {
      metrics.issuedTokens.inc({ provider });
      counts.count(app, provider, "issued");
    },
  });
  const failures = openFailures(parts, counts);
  const debugTokens = new DebugTokens(control.records, machineClock);
  const debugTokenMethods = debugTokenHandlers(debugTokens, registry, pageTokens);
  const implementation: ServiceImplementation<Caller, typeof IntegrityService> = {
    service: IntegrityService,
    handlers: {
      listApps: inProject(listAppsHandler(registry, pageTokens)),
      getAppAttestConfig: inProject(getHandler(configs)),
      batchGetAppAttestConfigs: inProject(batchGetHandler(configs)),
      updateAppAttestConfig: inProject(updateHandler(configs)),
      exchangeDebugToken: ofApp(exchangeDebugTokenHandler(debugTokens, issuer, failures)),
      exchangeCustomToken: ofApp(
        exchangeCustomTokenHandler({
          issuer,
          records: control.records,
          clock: machineClock,
          roleOf: roleOf(parts),
          failures,
        }),
      ),
      verifyAppCheckToken: inProject(
        verifyHandler({
          keys,
          issuer,
          records: control.records,
          clock,
          machineClock,
          onConsumed: ({ provider, isReused, ...app }) => {
            metrics.consumedTokens.inc({ result: isReused ? "reused" : "first" });
            if (isReused) counts.count(app, provider, "reused");
          },
        }),
      ),
      createDebugToken: inProject(debugTokenMethods.create),
      getDebugToken: inProject(debugTokenMethods.get),
      listDebugTokens: inProject(debugTokenMethods.list),
      updateDebugToken: inProject(debugTokenMethods.update),
      deleteDebugToken: inProject(debugTokenMethods.delete),
      listAttestationFailures: inProject(listFailuresHandler(failures, registry, pageTokens)),
      listAttestationTokenCounts: inProject(listTokenCountsHandler(counts, registry, pageTokens)),
      ...(await appAttestHandlers(parts, issuer, failures)),
    },
  };
  return {
    implementation,
    plainRoutes: [...tokenRoutes(parts), ...jwksRoutes(keys)],
    adminRoutes: [],
    warnOfOverridden,
    ready: () => control.check(),
    // The control data stays open, because the server closes it.
    close: async () => {
      await counts.close();
      await keys.close();
    },
  };
}

function openCounts({ control, registry, dayClock: clock, clock: machineClock, failures }: ServerParts) {
  return new TokenCounts({
    ...{ records: control.records, clock, machineClock },
    isRegistered: ({ project, appId }) => registry.app(project, appId) !== undefined,
    onStoreError: (error) => failures.failed({}, error, "cannot store counts of app tokens"),
  });
}

/** Opens the log of attestation failures, and counts the failures. */
function openFailures(
  { control, dayClock: clock, clock: machineClock, metrics, logger, failures }: ServerParts,
  counts: TokenCounts,
): AttestationFailures {
  return new AttestationFailures({
    ...{ records: control.records, clock, machineClock },
    onFailure: (key, failure) => {
      metrics.countAttestationFailure(key, failure);
      const { project, appId: app } = key;
      const { provider, step, expected, found } = failure;
      counts.count(key, provider, "rejected");
      logger.info({ project, app, provider, step, expected, found }, "app attestation failed");
    },
    onStoreError: (error) => failures.failed({}, error, "cannot store an attestation failure"),
  });
}

async function openKeys(parts: ServerParts): Promise<TokenKeyRing> {
  const { config, control, dayClock: clock, metrics, logger, failures } = parts;
  const keys = await TokenKeyRing.open({
    records: control.records,
    clock,
    rotation: config.integrity.tokens.rotation,
    onRotationError: (error) => failures.failed({}, error, "cannot publish the next token signing key"),
    onPublished: ({ kid, firstUseTime }) =>
      logger.info({ kid, firstUse: new Date(firstUseTime).toISOString() }, "published a token signing key"),
  });
  metrics.watchTokenKeys(() => keys.signingSince);
  return keys;
}

/**
 * Returns a function that finds the role of principals with local credentials. Without a local issuer, they have no
 * role.
 */
function roleOf({ registry, localIssuer }: ServerParts): (principal: string, project: string) => Role {
  return (name, project) => {
    if (localIssuer === undefined) return Role.ROLE_UNSPECIFIED;
    const principal = { name, issuer: LOCAL_ISSUER, id: principalId(LOCAL_ISSUER, name) };
    return registry.roleOn(principal, project);
  };
}

/** Returns the issuer name in app tokens: the configured name, or else the address on which the service listens. */
function issuerNameOf({ config, addresses }: ServerParts): () => string {
  return () => {
    const name = config.integrity.tokens.issuer ?? addresses.expectedUrl("integrity");
    if (name === undefined) throw new Error("the app-integrity service has no address yet");
    return name;
  };
}

function logOverridden({ registered, change }: OverriddenValue, logger: Logger): void {
  const { project, appId, principal, time, tokenTtl } = change;
  const name = configName(project, appId);
  const stored = tokenTtl ?? "the default";
  const configured = durationJson(registered);
  logger.warn(
    { name, stored, principal, changedAt: time, configured },
    `tokenTtl of ${name} is ${stored}, as ${principal} set it at ${time}; this overrides the ${configured} in the config file`,
  );
}
