import { ScopeNames } from "../auth/scopes.js";
import { openLocalIssuer } from "../auth/tokens/local-issuer.js";
import { expectRestored } from "../backup/restore-backup.js";
import { openControl } from "../control/engines.js";
import { PrincipalCalls } from "../limits/principal-calls.js";
import { timeToSeal } from "../messaging-data/jobs/retention.js";
import type { Clock } from "../model/clock.js";
import { AdjustableClock } from "../model/clock.js";
import { StoreOpenError, StoreUnavailableError } from "../model/store-error.js";
import { Registry } from "../registry/registry.js";
import { openAuthorization, registryFile } from "./access/authorization.js";
import { Addresses } from "./addresses.js";
import type { Config } from "./config/config-schema.js";
import { ConfigError } from "./config/config-values.js";
import { SERVICE_NAMES, SERVICES, type ServiceName } from "./config/services.js";
import { ConfigReload, warnOfUnknownProjects } from "./config-reload.js";
import { CONSOLE_HOST } from "./console/console-page.js";
import { consoleOrigins } from "./console/open-console.js";
import { openIntegrity } from "./integrity.js";
import { readTlsMaterial, TlsWatch } from "./listen/tls.js";
import { Listeners } from "./listeners.js";
import { expectSources } from "./messaging-data/expect-sources.js";
import { openMessagingData } from "./messaging-data/messaging-data.js";
import { type OpenParts, openTogether } from "./open-parts.js";
import { openAdminToken } from "./operators/admin-access.js";
import { type ClockParts, clockRoutes } from "./operators/clock-routes.js";
import { FailureLog } from "./operators/failure-log.js";
import type { ServerLogger } from "./operators/logger.js";
import { Metrics } from "./operators/metrics.js";
import { openPageTokens } from "./page-tokens.js";
import { openRegistry } from "./registry.js";
import type { RunningService, ServerParts } from "./server-parts.js";

/** Log message. It warns that the server may remove data early. */
const ADJUSTABLE = "the clock is adjustable; when it is set ahead, retention may permanently delete days";

/** Log message. Without it, an operator sees only that the server rejects every call. */
const NO_ACCESS =
  "no principal has access: set access in the config file and pass it with --config, or try --demo";

const OPEN = {
  integrity: openIntegrity,
  "messaging-data": openMessagingData,
  registry: openRegistry,
} satisfies Record<ServiceName, (parts: ServerParts) => Promise<RunningService>>;

/** The services that this process runs. */
type RunningServices = { readonly [Name in ServiceName]?: Awaited<ReturnType<(typeof OPEN)[Name]>> };

export interface RunningServer {
  readonly parts: ServerParts;
  readonly services: RunningServices;
  /**
   * Reloads the TLS files and the config file. Problems are logged. A file with a problem changes nothing.
   *
   * @param load reads and validates the config file.
   */
  reload(load: () => Promise<Config>): Promise<void>;
  /**
   * Reports that the server is not ready, and continues to serve requests for the configured time. During this time,
   * load balancers send new connections elsewhere, and clients are asked to close their connections.
   */
  drain(): Promise<void>;
  /** Stops accepting connections, waits up to `graceMs` for requests in progress, and closes all services. */
  close(graceMs: number): Promise<void>;
}

/**
 * Starts the configured services.
 *
 * @param clock the machine's clock.
 * @throws ConfigError, KeyError, StoreOpenError or StoreUnavailableError if a file or the data directory cannot be
 *   used; a system error if a port cannot be used. After an error, nothing stays open.
 */
export function startServer(config: Config, logger: ServerLogger, clock: Clock): Promise<RunningServer> {
  return openTogether((open) => start(open, config, logger, clock));
}

async function start(
  open: OpenParts,
  config: Config,
  logger: ServerLogger,
  clock: Clock,
): Promise<RunningServer> {
  await expectRestored(config.dataDir);
  const parts = await openServerParts(open, config, logger, clock);
  const adminToken = await openAdminToken(config);
  warnOfUnknownProjects(config, parts);
  const contracts = SERVICE_NAMES.map((name) => SERVICES[name].contract);
  const authorization = await openAuthorization(parts, contracts);
  const tls = config.tls && (await readTlsMaterial(config.tls));

  const opened: [ServiceName, RunningService][] = [];
  for (const name of SERVICE_NAMES) {
    if (name === (config.only ?? name)) opened.push([name, open.add(await OPEN[name](parts))]);
  }
  const services: RunningServices = Object.fromEntries(opened);

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
  const configuredOrigins = new Set(config.cors.origins);
  const withConsole = new Set([...configuredOrigins, ...consoleOrigins(parts)]);
  for (const [name, service] of opened) {
    const corsOrigins = name === CONSOLE_HOST ? configuredOrigins : withConsole;
    await listeners.serve({ name, service, corsOrigins });
    authorization.nameLocalIssuer();
  }
  // Without a configured address, the console's origin is known only now.
  for (const origin of consoleOrigins(parts)) withConsole.add(origin);
  const store = services["messaging-data"]?.store;
  const reload = new ConfigReload({
    ...parts,
    authorization,
    expectSources: async (...changed) => store && expectSources(store, ...changed),
    warnOfOverridden: async () => services.integrity?.warnOfOverridden(),
  });
  await listeners.serveAdmin(Object.values(services), {
    access: { hosts: config.admin.hosts, token: adminToken },
    routes: clockRoutes(clockPartsOf(parts, services)),
  });
  if (!parts.registry.hasMembers) logger.warn(NO_ACCESS);
  return {
    parts,
    services,
    reload: async (load) => {
      await Promise.all([tlsWatch?.check(), reload.run(load)]);
    },
    drain: () => listeners.drain(config.drainTime),
    close: (graceMs) => open.close(graceMs),
  };
}

/** Returns parts for the clock routes; `undefined` if the clock is not adjustable. */
function clockPartsOf(
  { config, dayClock, logger }: ServerParts,
  services: RunningServices,
): ClockParts | undefined {
  if (!config.clock.adjustable) return undefined;
  return {
    clock: dayClock,
    settled: async (withinMs) => {
      services.registry?.upkeep.notice();
      await services["messaging-data"]?.settled(withinMs);
    },
    retention: timeToSeal(config.messagingData.retention),
    logger,
  };
}

/** Opens the parts that all services share. */
async function openServerParts(
  open: OpenParts,
  config: Config,
  logger: ServerLogger,
  clock: Clock,
): Promise<ServerParts> {
  const dayClock = new AdjustableClock(clock, config.clock.start);
  if (config.clock.adjustable) {
    logger.warn({ clock: { time: new Date(dayClock.wall()).toISOString() } }, ADJUSTABLE);
  }
  const control = open.add(await openControl(config.control, { directory: config.dataDir, clock }));
  if ((await control.copy?.state()) === "begun")
    throw new StoreOpenError(
      "a copy into this cluster is incomplete; repeat waybill copy until it completes",
    );
  const failures = open.add(new FailureLog(logger));
  failures.checkBy("PostgreSQL", () => control.check());
  return {
    config,
    addresses: new Addresses(config),
    scopeNames: new ScopeNames(config.auth.scopeBase),
    localIssuer: config.auth.localIssuer ? await openLocalIssuer(control.records, clock) : undefined,
    pageTokens: await openPageTokens(config, control.records, dayClock),
    control,
    registry: await Registry.open(control.records, registryFile(config)).catch((error: unknown) => {
      throw error instanceof StoreUnavailableError ? error : new ConfigError((error as Error).message);
    }),
    principalCalls: new PrincipalCalls(() => clock.monotonic()),
    metrics: new Metrics(),
    logger,
    failures,
    clock,
    dayClock,
  };
}
