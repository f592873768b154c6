import type { DescService } from "@bufbuild/protobuf";
import type { Caller } from "../../api/caller.js";
import type { Authorize } from "../../api/service.js";
import { CallAuthorizer } from "../../auth/call-authorizer.js";
import { RateLimiter } from "../../auth/rate-limiter.js";
import { Authenticator } from "../../auth/tokens/authenticator.js";
import { LOCAL_ISSUER } from "../../auth/tokens/local-issuer.js";
import type { RegistryFile } from "../../registry/file-entries.js";
import { isLocalIssuer } from "../config/config.js";
import type { Config } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";
import type { ServerParts } from "../server-parts.js";
import { type ConfiguredIssuer, Issuers } from "./issuers.js";

export interface Authorization {
  /** Authorizes a call before its parameters are read. */
  readonly authorize: Authorize<Caller>;
  /**
   * Makes the app-integrity service's address another name for the local issuer. Must be called once the address is
   * known.
   *
   * @throws ConfigError if another issuer has this name.
   */
  nameLocalIssuer(): void;
  /**
   * Reads the issuers' secrets in a new configuration.
   *
   * @returns a function that replaces the trusted issuers with these.
   * @throws ConfigError if a secret cannot be read, or an issuer has the local issuer's name.
   */
  prepareIssuers(configured: readonly ConfiguredIssuer[]): Promise<() => void>;
}

/**
 * Loads the keys and secrets for authorizing calls of these services.
 *
 * @throws ConfigError if a secret cannot be read.
 */
export async function openAuthorization(
  parts: Pick<
    ServerParts,
    "config" | "registry" | "addresses" | "scopeNames" | "localIssuer" | "principalCalls" | "logger" | "clock"
  >,
  services: readonly DescService[],
): Promise<Authorization> {
  const { config, registry, addresses, scopeNames, localIssuer, principalCalls, logger, clock } = parts;
  const { requestsPerMinute } = config.quota;
  const issuers = new Issuers(localIssuer, config);
  let localName: string | undefined;
  const authenticator = new Authenticator(await issuers.read(config.auth.issuers), {
    scopeNames,
    clock,
    onLoadError: (issuer, error) => logger.warn({ issuer, err: error }, "cannot load issuer keys"),
  });
  const authorizer = new CallAuthorizer(services, {
    authenticator,
    scopeNames,
    registry,
    principalCalls,
    appLimiters: {
      network: new RateLimiter(config.integrity.attestation.requestsPerMinute, clock),
      app: new RateLimiter(config.integrity.attestation.requestsPerMinuteOfApp, clock),
    },
    rateLimiter: requestsPerMinute === undefined ? undefined : new RateLimiter(requestsPerMinute, clock),
  });
  return {
    authorize: authorizer.authorize,
    nameLocalIssuer: () => {
      const name = addresses.expectedUrl("integrity");
      if (localIssuer === undefined || name === undefined) return;
      try {
        authenticator.addIssuerName(LOCAL_ISSUER, name);
        localName = name;
      } catch (cause) {
        throw new ConfigError(`auth.issuers: ${(cause as Error).message}, the local one`, { cause });
      }
    },
    prepareIssuers: async (configured) => {
      const trusted = await issuers.read(configured);
      for (const { issuer } of configured) {
        const isLocal = localIssuer !== undefined && (issuer === LOCAL_ISSUER || issuer === localName);
        if (isLocal) throw new ConfigError(`auth.issuers: ${issuer} is the local issuer`);
      }
      return () => authenticator.setIssuers(trusted);
    },
  };
}

/**
 * Returns the projects and access rules in the config, with other names of the local issuer replaced by
 * {@link LOCAL_ISSUER}.
 */
export const registryFile = (config: Config): RegistryFile => ({
  projects: config.projects,
  access: config.access.map((rule) =>
    isLocalIssuer(config, rule.issuer) ? { ...rule, issuer: LOCAL_ISSUER } : rule,
  ),
});
