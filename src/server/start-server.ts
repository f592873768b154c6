import type { DescService } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import { ScopeNames } from "../auth/scopes.js";
import { StaticRegistry } from "../control/file/static-registry.js";
import { descriptionRoutes } from "../descriptions/description-routes.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { AnswerShares } from "../http/answers/answer-shares.js";
import { DEFAULT_DECODERS } from "../http/bodies/request-body.js";
import { ZstdUnpacker } from "../http/bodies/zstd-unpacker.js";
import { type Clock, systemClock } from "../model/clock.js";
import { OpenStreams } from "../rpc/open/open-streams.js";
import { openAccess } from "./access.js";
import type { Config } from "./config/config-schema.js";
import { type Console, consoleOrigins, openConsole } from "./console/open-console.js";
import { openIntegrity } from "./integrity.js";
import { ConnectionBounds, HANDSHAKES, OPEN_CONNECTIONS } from "./listen/connection-bounds.js";
import type { Listener } from "./listen/listener.js";
import { serviceListener } from "./listen/service-listener.js";
import { readTlsMaterial } from "./listen/tls.js";
import { type MessagingData, openMessagingData } from "./messaging-data.js";
import { adminListener } from "./operators/admin-listener.js";
import { Metrics } from "./operators/metrics.js";
import { VERSION } from "./operators/version.js";
import { openPageTokens } from "./page-tokens.js";

/** Base addresses of a running server. A service that does not run here has no address. */
export interface Addresses {
  readonly integrityUrl?: string;
  readonly messagingDataUrl?: string;
  readonly adminUrl: string;
}

export interface RunningServer {
  readonly addresses: Addresses;
  /** The messaging-data service, if it runs here. */
  readonly messagingData: MessagingData | undefined;
  /** The web console, if it is served here. */
  readonly console: Console | undefined;
  /** Stops accepting, waits up to `grace` milliseconds for requests in progress, and closes the store. */
  close(grace: number): Promise<void>;
}

/**
 * Starts the configured services.
 *
 * @throws StoreOpenError if the data directory cannot be used; a system error if a port cannot.
 */
export async function startServer(
  config: Config,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<RunningServer> {
  const metrics = new Metrics();
  const registry = new StaticRegistry(config.projects);
  const access = await openAccess(config, registry, [IntegrityService, MessagingDataService], logger, clock);
  const { authorize, plainRoutes } = access;
  const parts = { tokens: await openPageTokens(config, clock), metrics, logger, clock };
  const tls = config.tls && (await readTlsMaterial(config.tls));
  const listeners: Listener[] = [];
  let messagingData: MessagingData | undefined;
  let console: Console | undefined;
  let stopping = false;

  const running = async (): Promise<void> => {
    if (stopping) throw new Error("the server is shutting down");
  };
  const ready = async (): Promise<void> => {
    await running();
    await messagingData?.store.check();
  };
  const countClosed = (): void => metrics.closedConnections.inc();
  const connectionBounds = {
    open: new ConnectionBounds(OPEN_CONNECTIONS, countClosed),
    handshakes: new ConnectionBounds(HANDSHAKES, countClosed),
  };
  const shares = new AnswerShares();
  const openStreams = new OpenStreams();
  const unpacker = new ZstdUnpacker();
  const decoders = { ...DEFAULT_DECODERS, zstd: (caller: string) => unpacker.decoder(caller) };
  const shared = { authorize, shares, decoders, openStreams, connectionBounds, tls, metrics, logger };
  const describe = (service: DescService, baseUrl: () => string | undefined) =>
    descriptionRoutes({
      service,
      baseUrl,
      scopeNames: new ScopeNames(config.auth.scopeBase),
      programVersion: VERSION,
    });
  const listen = async (listener: Listener, port: number): Promise<string> => {
    listeners.push(listener);
    return listener.listen(config.host, port);
  };
  const close = async (grace: number): Promise<void> => {
    stopping = true;
    const deadline = setTimeout(() => {
      for (const listener of listeners) listener.cut();
    }, grace);
    await Promise.all(listeners.map((listener) => listener.close()));
    clearTimeout(deadline);
    await Promise.all([messagingData?.close(), unpacker.close()]);
  };

  try {
    const addresses: { -readonly [K in keyof Addresses]?: Addresses[K] } = {};
    const corsOrigins = new Set(config.cors.origins);
    const integrityCorsOrigins = new Set([...corsOrigins, ...consoleOrigins(config, addresses)]);
    if (config.only !== "messaging-data") {
      const implementation = openIntegrity(config, parts);
      const descriptions = describe(IntegrityService, () => config.integrityUrl ?? addresses.integrityUrl);
      const listener = serviceListener({
        ...shared,
        name: "integrity",
        corsOrigins: integrityCorsOrigins,
        ready: running,
        implementation,
        plainRoutes: [...plainRoutes, ...descriptions],
      });
      addresses.integrityUrl = await listen(listener, config.integrityPort);
    }
    access.nameLocalIssuer(addresses.integrityUrl);
    if (config.only !== "integrity") {
      messagingData = await openMessagingData(config, parts);
      const { implementation } = messagingData;
      const descriptions = describe(
        MessagingDataService,
        () => config.messagingDataUrl ?? addresses.messagingDataUrl,
      );
      console = await openConsole(config, addresses, logger);
      const listener = serviceListener({
        ...shared,
        name: "messaging-data",
        corsOrigins,
        ready,
        implementation,
        plainRoutes: [...descriptions, ...(console?.plainRoutes ?? [])],
      });
      addresses.messagingDataUrl = await listen(listener, config.messagingDataPort);
      for (const origin of consoleOrigins(config, addresses)) integrityCorsOrigins.add(origin);
    }
    const adminUrl = await listen(adminListener({ metrics: metrics.registry, ready }), config.adminPort);
    return { addresses: { ...addresses, adminUrl }, messagingData, console, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}
