import type { DescService } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import { ScopeNames } from "../auth/scopes.js";
import { descriptionRoutes } from "../descriptions/description-routes.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { OpenStreams } from "../rpc/open-streams.js";
import { StaticRegistry } from "../store/static/static-registry.js";
import { AnswerShares } from "../transcoding/answer-shares.js";
import { DEFAULT_DECODERS } from "../transcoding/request-body.js";
import { ZstdUnpacker } from "../transcoding/zstd-unpacker.js";
import { openAccess } from "./access.js";
import { adminListener } from "./admin-listener.js";
import type { Config } from "./config-schema.js";
import { ConnectionBounds, HANDSHAKES, OPEN_CONNECTIONS } from "./connection-bounds.js";
import { type Console, consoleOrigins, openConsole } from "./console/open-console.js";
import { openIntegrity } from "./integrity.js";
import type { Listener } from "./listener.js";
import { type MessagingData, openMessagingData } from "./messaging-data.js";
import { Metrics } from "./metrics.js";
import { openPageTokens } from "./page-tokens.js";
import { serviceListener } from "./service-listener.js";
import { readTlsMaterial } from "./tls.js";
import { VERSION } from "./version.js";

/** Base addresses of a running server; of a service that does not run here, none. */
export interface Addresses {
  readonly integrityUrl?: string;
  readonly messagingDataUrl?: string;
  readonly adminUrl: string;
}

/** A server that has been started. */
export interface RunningServer {
  readonly addresses: Addresses;
  /** What works behind the messaging-data service, if that runs here. */
  readonly messagingData: MessagingData | undefined;
  /** The web console, if it is served here. */
  readonly console: Console | undefined;
  /** Stops accepting, lets what is in flight finish for up to `grace` milliseconds, and closes the store. */
  close(grace: number): Promise<void>;
}

/**
 * Starts the services that the configuration asks for.
 *
 * @throws StoreOpenError if the data directory cannot be used; an error of the system if a port cannot.
 */
export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  const metrics = new Metrics();
  const registry = new StaticRegistry(config.projects);
  const access = await openAccess(config, registry, [IntegrityService, MessagingDataService], logger);
  const { authorize, plainRoutes } = access;
  const pageTokens = await openPageTokens(config);
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
      const implementation = openIntegrity(config, pageTokens, metrics, logger);
      const descriptions = describe(IntegrityService, () => config.integrityUrl ?? addresses.integrityUrl);
      const listener = await serviceListener({
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
      messagingData = await openMessagingData(config, pageTokens, metrics, logger);
      const { implementation } = messagingData;
      const descriptions = describe(
        MessagingDataService,
        () => config.messagingDataUrl ?? addresses.messagingDataUrl,
      );
      console = await openConsole(config, addresses, logger);
      const listener = await serviceListener({
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
