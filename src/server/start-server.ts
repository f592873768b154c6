import type { Logger } from "pino";
import { ScopeNames } from "../auth/scopes.js";
import { openLocalIssuer } from "../auth/tokens/local-issuer.js";
import { expectRestored } from "../backup/restore-backup.js";
import { openControl } from "../control/engines.js";
import { StaticRegistry } from "../control/file/static-registry.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { timeToSeal } from "../messaging-data/retention/expired-days.js";
import { AdjustableClock } from "../model/adjustable-clock.js";
import type { Clock } from "../model/clock.js";
import { StoreOpenError } from "../model/store-error.js";
import { openAuthorization } from "./access/authorization.js";
import { tokenRoutes } from "./access/token-routes.js";
import { Addresses } from "./addresses.js";
import { openBackups } from "./backups.js";
import type { Config } from "./config/config-schema.js";
import { renamedKeysWarning } from "./config/renamed-keys.js";
import { type Console, consoleOrigins, openConsole } from "./console/open-console.js";
import { openIntegrity } from "./integrity.js";
import { readTlsMaterial, TlsWatch } from "./listen/tls.js";
import { Listeners } from "./listeners.js";
import { type MessagingData, openMessagingData } from "./messaging-data/messaging-data.js";
import { type OpenParts, openTogether } from "./open-parts.js";
import { openAdminToken } from "./operators/admin-token.js";
import { FailureLog } from "./operators/failure-log.js";
import { Metrics } from "./operators/metrics.js";
import { openPageTokens } from "./page-tokens.js";
import { type RunningPart, routesOnly } from "./running-service.js";
import type { ServerParts } from "./server-parts.js";

/** Says that data may be removed sooner than its time. */
const ADJUSTABLE =
  "the clock can be turned: days follow it, and those that a retention ends are lost for good";

export interface RunningServer {
  readonly parts: ServerParts;
  /** The messaging-data service, if it runs here. */
  readonly messagingData: MessagingData | undefined;
  /** The web console, if it is served here. */
  readonly console: Console | undefined;
  /** Reads the TLS files again; missing if there are none. */
  readonly reloadTls: (() => Promise<void>) | undefined;
  /**
   * Serves requests for the configured time while the server reports that it is not ready: balancers send new
   * connections elsewhere, and clients are asked to close theirs.
   */
  drain(): Promise<void>;
  /** Stops accepting, waits up to `graceMs` for requests in progress, and closes the services. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts the configured services.
 *
 * @param clock the time of the machine.
 * @throws ConfigError, KeyError or StoreOpenError if a file or the data directory cannot be used; a
 *   system error if a port cannot. What was opened before is closed again.
 */
export function startServer(config: Config, logger: Logger, clock: Clock): Promise<RunningServer> {
  return openTogether((open) => start(open, config, logger, clock));
}

async function start(open: OpenParts, config: Config, logger: Logger, clock: Clock): Promise<RunningServer> {
  await expectRestored(config.dataDir);
  if (config.renamedKeys.length > 0) logger.warn(renamedKeysWarning(config.renamedKeys));
  const dayClock = new AdjustableClock(clock, config.clock.start);
  if (config.clock.adjustable) logger.warn({ time: new Date(dayClock.wall()).toISOString() }, ADJUSTABLE);
  const control = open.add(await openControl(config.control, { directory: config.dataDir, clock }));
  if ((await control.copy?.state()) === "begun")
    throw new StoreOpenError("a copy into this cluster was cut; repeat waybill copy until it is complete");
  const adminToken = await openAdminToken(config);
  const failures = open.add(new FailureLog(logger));
  failures.checkBy("PostgreSQL", () => control.check());
  const parts: ServerParts = {
    config,
    addresses: new Addresses(config),
    scopeNames: new ScopeNames(config.auth.scopeBase),
    localIssuer: config.auth.localIssuer ? await openLocalIssuer(control.keys, clock) : undefined,
    pageTokens: await openPageTokens(config, control.keys, dayClock),
    control,
    metrics: new Metrics(),
    logger,
    failures,
    clock,
    dayClock,
  };
  const registry = new StaticRegistry(config.projects);
  const authorization = await openAuthorization(parts, registry, [IntegrityService, MessagingDataService]);
  const tls = config.tls && (await readTlsMaterial(config.tls));

  const integrity = config.only === "messaging-data" ? undefined : open.add(await openIntegrity(parts));
  const messagingData = config.only === "integrity" ? undefined : open.add(await openMessagingData(parts));
  const console = messagingData && (await openConsole(parts));
  const others: RunningPart[] = console === undefined ? [] : [open.add(console)];

  const listeners = open.add(new Listeners({ ...parts, authorize: authorization.authorize, tls }));
  const tlsWatch =
    config.tls &&
    tls &&
    open.add(
      new TlsWatch({
        files: config.tls,
        material: tls,
        use: (material) => listeners.setTls(material),
        logger,
      }),
    );
  const corsOrigins = new Set(config.cors.origins);
  const integrityCorsOrigins = new Set([...corsOrigins, ...consoleOrigins(parts)]);
  if (integrity !== undefined) {
    await listeners.serve({
      name: "integrity",
      service: integrity,
      others: [routesOnly(tokenRoutes(parts))],
      corsOrigins: integrityCorsOrigins,
    });
  }
  authorization.nameLocalIssuer();
  if (messagingData !== undefined) {
    await listeners.serve({ name: "messaging-data", service: messagingData, others, corsOrigins });
    // Only now the origin of the console is known, if no address is configured.
    for (const origin of consoleOrigins(parts)) integrityCorsOrigins.add(origin);
  }
  const running = [integrity, messagingData, ...others].filter((part) => part !== undefined);
  const backups = messagingData && (await openBackups(parts, messagingData.store));
  const clockParts = config.clock.adjustable
    ? {
        clock: dayClock,
        settled: messagingData?.settled,
        retention: timeToSeal(config.messagingData.retention),
        logger,
      }
    : undefined;
  await listeners.serveOperators(running, {
    access: { hosts: config.admin.hosts, token: adminToken },
    backup: backups,
    clock: clockParts,
    mirrors: messagingData?.mirrors,
  });
  return {
    parts,
    messagingData,
    console,
    reloadTls: tlsWatch && (() => tlsWatch.check()),
    drain: () => listeners.drain(config.drainTime),
    close: (graceMs) => open.close(graceMs),
  };
}
