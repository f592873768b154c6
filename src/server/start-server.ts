import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { Code } from "../gen/google/rpc/code_pb.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { getHandler } from "../integrity/get-handler.js";
import { StaticRegistry } from "../store/static/static-registry.js";
import { ApiError } from "../transcoding/api-error.js";
import { createAuthorize } from "./access.js";
import { adminListener } from "./admin-listener.js";
import type { Config } from "./config-schema.js";
import { type MessagingData, openMessagingData } from "./messaging-data.js";
import { Metrics } from "./metrics.js";
import { serviceListener } from "./service-listener.js";
import { watchUnusedConnections } from "./unused-connections.js";

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
  const authorize = await createAuthorize(config, registry, [IntegrityService, MessagingDataService], logger);
  const shared = { authorize, metrics, logger, corsOrigins: config.cors.origins };
  const listeners: FastifyInstance[] = [];
  const closeUnused: (() => void)[] = [];
  let messagingData: MessagingData | undefined;
  let stopping = false;

  const listen = async (listener: FastifyInstance, port: number): Promise<string> => {
    listeners.push(listener);
    closeUnused.push(watchUnusedConnections(listener.server));
    await listener.listen({ host: config.host, port });
    const { address, family, port: actual } = listener.server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${actual}`;
  };
  const close = async (grace: number): Promise<void> => {
    stopping = true;
    const deadline = setTimeout(() => {
      for (const listener of listeners) listener.server.closeAllConnections();
    }, grace);
    const closing = listeners.map((listener) => listener.close());
    for (const closeConnections of closeUnused) closeConnections();
    await Promise.all(closing);
    clearTimeout(deadline);
    await messagingData?.close();
  };

  try {
    const addresses: { -readonly [K in keyof Addresses]?: Addresses[K] } = {};
    if (config.only !== "messaging-data") {
      const implementation = {
        service: IntegrityService,
        handlers: {
          getAppAttestConfig: getHandler(registry),
          batchGetAppAttestConfigs: unimplemented,
          updateAppAttestConfig: unimplemented,
        },
      };
      const listener = await serviceListener({ ...shared, name: "integrity", implementation });
      addresses.integrityUrl = await listen(listener, config.integrityPort);
    }
    if (config.only !== "integrity") {
      messagingData = await openMessagingData(config, metrics, logger);
      const { implementation } = messagingData;
      const listener = await serviceListener({ ...shared, name: "messaging-data", implementation });
      addresses.messagingDataUrl = await listen(listener, config.messagingDataPort);
    }
    const ready = async (): Promise<void> => {
      if (stopping) throw new Error("the server is shutting down");
      await messagingData?.store.check();
    };
    const adminUrl = await listen(adminListener({ metrics: metrics.registry, ready }), config.adminPort);
    return { addresses: { ...addresses, adminUrl }, messagingData, close };
  } catch (error) {
    await close(0);
    throw error;
  }
}

const unimplemented = (): never => {
  throw new ApiError({ code: Code.UNIMPLEMENTED, reason: "UNIMPLEMENTED", message: "Not there yet." });
};
