import type { Config } from "./config/config-schema.js";
import { type PortKey, portKey, type ServiceName, type UrlKey, urlKey } from "./config/services.js";

/** Base addresses that a process listens on. A service that does not run in it has no address. */
export type ListeningUrls = Readonly<Partial<Record<UrlKey | "adminUrl", string>>>;

/** Configuration keys that determine addresses. */
export type AddressConfig = Pick<Config, UrlKey | PortKey | "host" | "tls">;

/** Base addresses of the services, as they are configured and as they become known. */
export class Addresses {
  readonly #config: AddressConfig;
  #listening: ListeningUrls = {};

  constructor(config: AddressConfig) {
    this.#config = config;
  }

  /** Adds an address on which this process listens. */
  addListening(urls: ListeningUrls): void {
    this.#listening = { ...this.#listening, ...urls };
  }

  /** The addresses on which this process listens so far. */
  get listening(): ListeningUrls {
    return this.#listening;
  }

  /**
   * Returns the address at which clients reach a service: the configured one, or else where it listens in
   * this process. `undefined` if it is not configured, and does not run here or does not listen yet.
   */
  publicUrl(service: ServiceName): string | undefined {
    const key = urlKey(service);
    return this.#config[key] ?? this.#listening[key];
  }

  /** Returns the path of the configured address, such as `/api`; empty if it has no path. */
  publicPath(service: ServiceName): string {
    const url = this.#config[urlKey(service)];
    return url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
  }

  /**
   * Returns the {@link publicUrl}, or else the address on which the configuration lets the service listen,
   * perhaps in another process. `undefined` if that is any free port.
   */
  expectedUrl(service: ServiceName): string | undefined {
    const known = this.publicUrl(service);
    if (known !== undefined) return known;
    const { host, tls, [portKey(service)]: port } = this.#config;
    if (port === 0) return undefined;
    const scheme = tls === undefined ? "http" : "https";
    return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }
}
