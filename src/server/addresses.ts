import type { Config } from "./config/config-schema.js";
import { type PortKey, portKey, type ServiceName, type UrlKey, urlKey } from "./config/services.js";

/** Base addresses that a process listens on. Services of other processes have no address. */
export type ListeningUrls = Readonly<Partial<Record<UrlKey | "adminUrl", string>>>;

/** Configuration keys that determine addresses. */
export type AddressConfig = Pick<Config, UrlKey | PortKey | "host" | "tls">;

/** Base addresses of the services, from the config and from the listeners. */
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

  /** Addresses on which this process listens so far. */
  get listening(): ListeningUrls {
    return this.#listening;
  }

  /**
   * Returns the public address of a service: the configured one, or else its listener's address in this process.
   * `undefined` if neither exists yet.
   */
  publicUrl(service: ServiceName): string | undefined {
    const key = urlKey(service);
    return this.#config[key] ?? this.#listening[key];
  }

  /** Returns the configured address's path, such as `/api`; empty if it has no path. */
  publicPath(service: ServiceName): string {
    const url = this.#config[urlKey(service)];
    return url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
  }

  /**
   * Returns the {@link publicUrl}, or else the configured listen address, which may be in another process.
   * `undefined` if the port can be any free one.
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
