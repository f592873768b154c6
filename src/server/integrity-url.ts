import type { Config } from "./config/config-schema.js";

/**
 * The base address of the app-integrity service as far as the configuration tells it: where clients reach it, else where it
 * listens. `undefined` if it takes any port.
 */
export function configuredIntegrityUrl(config: Config): string | undefined {
  const { integrityUrl, integrityPort, host, tls } = config;
  if (integrityUrl !== undefined) return integrityUrl;
  if (integrityPort === 0) return undefined;
  const scheme = tls === undefined ? "http" : "https";
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${integrityPort}`;
}
