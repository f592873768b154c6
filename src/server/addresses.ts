import type { Config, ServiceName } from "./config/config-schema.js";

/** Base addresses that a process listens on. A service that does not run in it has no address. */
export interface ListeningUrls {
  readonly integrityUrl?: string;
  readonly messagingDataUrl?: string;
  readonly adminUrl?: string;
}

/** Configuration keys that determine addresses. */
export type AddressConfig = Pick<
  Config,
  "integrityUrl" | "messagingDataUrl" | "integrityPort" | "messagingDataPort" | "host" | "tls"
>;

const KEYS = {
  integrity: { url: "integrityUrl", port: "integrityPort" },
  "messaging-data": { url: "messagingDataUrl", port: "messagingDataPort" },
} as const;

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
    const key = KEYS[service].url;
    return this.#config[key] ?? this.#listening[key];
  }

  /** Returns the path of the configured address, such as `/api`; empty if it has no path. */
  publicPath(service: ServiceName): string {
    const url = this.#config[KEYS[service].url];
    return url === undefined ? "" : new URL(url).pathname.replace(/\/$/, "");
  }

  /**
   * Returns the {@link publicUrl}, or else the address on which the configuration lets the service listen,
   * perhaps in another process. `undefined` if that is any free port.
   */
  expectedUrl(service: ServiceName): string | undefined {
    const known = this.publicUrl(service);
    if (known !== undefined) return known;
    const { host, tls, [KEYS[service].port]: port } = this.#config;
    if (port === 0) return undefined;
    const scheme = tls === undefined ? "http" : "https";
    return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
  }
}
