import { isDeepStrictEqual } from "node:util";
import type { TrustedIssuer } from "../../auth/tokens/authenticator.js";
import { remoteIntrospection, secretOfFile } from "../../auth/tokens/introspection-endpoint.js";
import type { IntrospectionSource } from "../../auth/tokens/introspector.js";
import { fileKeys, fixedKeys, type KeySource, remoteKeys } from "../../auth/tokens/key-source.js";
import { LOCAL_ISSUER, type LocalIssuer } from "../../auth/tokens/local-issuer.js";
import { systemReason } from "../../model/system-error.js";
import type { Config } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";

export type ConfiguredIssuer = Config["auth"]["issuers"][number];

export class Issuers {
  readonly #local: readonly TrustedIssuer[];
  /** The configured issuers from the last call of {@link read}. */
  #configured: readonly { readonly configuration: ConfiguredIssuer; readonly trusted: TrustedIssuer }[] = [];

  /** @param localIssuer omitted if the local issuer is off. */
  constructor(localIssuer: LocalIssuer | undefined, { messagingData }: Pick<Config, "messagingData">) {
    // Without leeway, emulated tokens expire on the second, so that tests see clients renew them.
    const leewaySeconds = messagingData.emulation?.tokenLifetime === undefined ? undefined : 0;
    this.#local =
      localIssuer === undefined
        ? []
        : [{ issuer: LOCAL_ISSUER, keys: fixedKeys(localIssuer.jwks()), leewaySeconds }];
  }

  /**
   * Returns the local issuer and the configured ones. An issuer with unchanged configuration is the same object as in
   * the last call.
   *
   * @throws ConfigError if a secret cannot be read.
   */
  async read(configured: readonly ConfiguredIssuer[]): Promise<readonly TrustedIssuer[]> {
    const before = this.#configured;
    const read = await Promise.all(
      configured.map(async (configuration, index) => {
        const introspection = await introspectionOf(configuration, `auth.issuers[${index}]`);
        const same = before.find((known) => isDeepStrictEqual(known.configuration, configuration));
        if (same !== undefined) return same;
        const { issuer, audience } = configuration;
        return { configuration, trusted: { issuer, keys: keysOf(configuration), introspection, audience } };
      }),
    );
    this.#configured = read;
    return [...this.#local, ...read.map(({ trusted }) => trusted)];
  }
}

function keysOf({ jwksUri, jwksFile }: ConfiguredIssuer): KeySource | undefined {
  if (jwksFile !== undefined) return fileKeys(jwksFile);
  return jwksUri === undefined ? undefined : remoteKeys(jwksUri);
}

/**
 * Returns an issuer's token introspection, if configured.
 *
 * @param path path of the issuer's config key.
 * @throws ConfigError if the secret file cannot be read now. Later replacements of the file are read when needed.
 */
export async function introspectionOf(
  configuration: ConfiguredIssuer,
  path: string,
): Promise<IntrospectionSource | undefined> {
  const { introspectionUrl, clientId = "", clientSecret = "", clientSecretFile } = configuration;
  if (introspectionUrl === undefined) return undefined;
  const secret = () =>
    clientSecretFile === undefined ? Promise.resolve(clientSecret) : secretOfFile(clientSecretFile);
  await secret().catch((cause: Error) => {
    throw new ConfigError(
      `${path}.clientSecretFile: cannot be read: ${systemReason(cause) ?? cause.message}`,
      { cause },
    );
  });
  const endpoint = remoteIntrospection(introspectionUrl, { clientId, clientSecret: secret });
  return {
    endpoint,
    cacheMs: configuration.introspectionCache,
    perSecond: configuration.introspectionsPerSecond,
  };
}
