import { setTimeout as sleep } from "node:timers/promises";
import type { Caller } from "../api/caller.js";
import type { Authorize } from "../api/service.js";
import { descriptionRoutes } from "../descriptions/description-routes.js";
import { DEFAULT_DECODERS } from "../http/bodies/request-body.js";
import { ZstdUnpacker } from "../http/bodies/zstd-unpacker.js";
import { ResponseShares } from "../http/responses/response-shares.js";
import { OpenStreams } from "../rpc/open/open-streams.js";
import { portKey, type ServiceName, urlKey } from "./config/services.js";
import { ConnectionBounds, HANDSHAKES, OPEN_CONNECTIONS } from "./listen/connection-bounds.js";
import type { Listener } from "./listen/listener.js";
import { serviceListener } from "./listen/service-listener.js";
import type { TlsMaterial } from "./listen/tls.js";
import type { Closable } from "./open-parts.js";
import { type AdminParts, adminListener } from "./operators/admin-listener.js";
import { adminObserver } from "./operators/request-observer.js";
import { VERSION } from "./operators/version.js";
import type { RunningService, ServerParts } from "./server-parts.js";

/** A service, and the origins of pages that may call it. */
export interface ServedService {
  readonly name: ServiceName;
  readonly service: RunningService;
  /** Origins of pages that may call the service. */
  readonly corsOrigins: ReadonlySet<string>;
}

export interface ListenersParts
  extends Pick<ServerParts, "config" | "addresses" | "scopeNames" | "metrics" | "logger" | "failures"> {
  readonly authorize: Authorize<Caller>;
  /** TLS options. Connections are unencrypted if this is `undefined`. */
  readonly tls: TlsMaterial | undefined;
}

/** All listeners of a server. They share limits on connections, memory and slots. */
export class Listeners implements Closable {
  readonly #parts: ListenersParts;
  readonly #listeners: Listener[] = [];
  readonly #unpacker = new ZstdUnpacker();
  readonly #shares = new ResponseShares();
  readonly #openStreams = new OpenStreams();
  readonly #connectionBounds: { readonly open: ConnectionBounds; readonly handshakes: ConnectionBounds };
  #stopping = false;

  constructor(parts: ListenersParts) {
    this.#parts = parts;
    const countClosed = (): void => parts.metrics.closedConnections.inc();
    this.#connectionBounds = {
      open: new ConnectionBounds(OPEN_CONNECTIONS, countClosed),
      handshakes: new ConnectionBounds(HANDSHAKES, countClosed),
    };
  }

  /**
   * Starts a service's listener, with its API descriptions, on the configured port.
   *
   * @throws a system error if the port cannot be used.
   */
  async serve({ name, service, corsOrigins }: ServedService): Promise<void> {
    const { config, addresses, scopeNames, authorize, tls, metrics, logger, failures } = this.#parts;
    const descriptions = descriptionRoutes({
      service: service.implementation.service,
      baseUrl: () => addresses.publicUrl(name),
      scopeNames,
      programVersion: VERSION,
    });
    const listener = serviceListener({
      name,
      implementation: service.implementation,
      plainRoutes: [...descriptions, ...service.plainRoutes],
      ready: () => this.#ready([service]),
      corsOrigins,
      authorize,
      shares: this.#shares,
      decoders: { ...DEFAULT_DECODERS, zstd: (caller) => this.#unpacker.decoder(caller) },
      openStreams: this.#openStreams,
      connectionBounds: this.#connectionBounds,
      tls,
      metrics,
      logger,
      failures,
    });
    const url = await this.#listen(listener, config.host, config[portKey(name)]);
    addresses.addListening({ [urlKey(name)]: url });
  }

  /**
   * Starts the admin listener. It reports the server as ready when all services are ready.
   *
   * @throws the same errors as {@link serve}.
   */
  async serveAdmin(
    services: readonly RunningService[],
    { access, routes = [] }: Pick<AdminParts, "access" | "routes">,
  ): Promise<void> {
    const { config, addresses, metrics, logger } = this.#parts;
    const listener = adminListener({
      access,
      metrics: metrics.registry,
      ready: () => this.#ready(services),
      routes: [...services.flatMap(({ adminRoutes }) => adminRoutes), ...routes],
      observe: adminObserver(logger),
    });
    addresses.addListening({ adminUrl: await this.#listen(listener, config.adminHost, config.adminPort) });
  }

  /** Uses another certificate for new connections. */
  setTls(material: TlsMaterial): void {
    for (const listener of this.#listeners) listener.setTls(material);
  }

  /**
   * Reports that the server is not ready. Continues to serve requests for a time, until load balancers have noticed.
   */
  async drain(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return;
    this.#stopping = true;
    for (const listener of this.#listeners) listener.drain();
    await sleep(milliseconds, undefined, { ref: false });
  }

  /**
   * Stops accepting connections. Waits until requests in progress have ended, and closes connections after `graceMs`.
   */
  async close(graceMs: number): Promise<void> {
    this.#stopping = true;
    const deadline = setTimeout(() => {
      for (const listener of this.#listeners) listener.cut();
    }, graceMs);
    await Promise.all(this.#listeners.map((listener) => listener.close()));
    clearTimeout(deadline);
    await this.#unpacker.close();
  }

  async #ready(services: readonly RunningService[]): Promise<void> {
    if (this.#stopping) throw new Error("the server is shutting down");
    for (const service of services) await service.ready();
  }

  #listen(listener: Listener, host: string, port: number): Promise<string> {
    this.#listeners.push(listener);
    return listener.listen(host, port);
  }
}
