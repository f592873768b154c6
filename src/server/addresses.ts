import type { Config } from "./config/config-schema.js";
import { type PortKey, portKey, type ServiceName, type UrlKey, urlKey } from "./config/services.js";

/** Base addresses of this process's listeners. Services that run in other processes are omitted. */
export type ListeningUrls = Readonly<Partial<Record<UrlKey | "adminUrl", string>>>;

export type AddressConfig = Pick<Config, UrlKey | PortKey | "host" | "tls">;

/** Base addresses of all services, from the config and from this process's listeners. */
export class Addresses {
  readonly #config: AddressConfig;
  #listening: ListeningUrls = {};

  constructor(config: AddressConfig) {
    this.#config = config;
  }

  /** Adds addresses of listeners that have started in this process. */
  addListening(urls: ListeningUrls): void {
    this.#listening = { ...this.#listening, ...urls };
  }

  /** Addresses of the listeners that have started in this process. */
  get listening(): ListeningUrls {
    return this.#listening;
  }

  /**
   * Returns the public address of a service: the configured address, or else its listener's address in this process.
   * Returns `undefined` while neither is known.
   */
  publicUrl(service: ServiceName): string | undefined {
    const key = urlKey(service);
    return this.#config[key] ?? this.#listening[key];
  }

  /** Returns the path in a service's configured address, such as `/api`. Empty if the address has no path. */
  publicPath(service: ServiceName): string {
    const url = this.#config[urlKey(service)];
    return url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
  }

  /**
   * Returns the {@link publicUrl}, or else the configured listen address, even if the service runs in another process.
   * Returns `undefined` if the port is chosen at start.
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
