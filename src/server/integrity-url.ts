import type { Config } from "./config/config-schema.js";

/**
 * Returns the base address of the app-integrity service from the configuration: the address for clients, or
 * else the address it listens on. `undefined` if it listens on any free port.
 */
export function configuredIntegrityUrl(config: Config): string | undefined {
  const { integrityUrl, integrityPort, host, tls } = config;
  if (integrityUrl !== undefined) return integrityUrl;
  if (integrityPort === 0) return undefined;
  const scheme = tls === undefined ? "http" : "https";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${integrityPort}`;
}
