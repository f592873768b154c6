import type { IntrospectionSource, TrustedIssuer } from "../../auth/tokens/authenticator.js";
import { remoteIntrospection, secretOfFile } from "../../auth/tokens/introspection-endpoint.js";
import { fileKeys, fixedKeys, type KeySource, remoteKeys } from "../../auth/tokens/key-source.js";
import { LOCAL_ISSUER, type LocalIssuer } from "../../auth/tokens/local-issuer.js";
import { systemReason } from "../../model/system-error.js";
import type { Config } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";

/**
 * Returns the local issuer, if there is one, and the configured issuers.
 *
 * @throws ConfigError naming a secret that cannot be read.
 */
export async function trustedIssuers(
  { auth, messagingData }: Pick<Config, "auth" | "messagingData">,
  localIssuer: LocalIssuer | undefined,
): Promise<TrustedIssuer[]> {
  // A lifetime of the emulation ends to the second, so that tests see clients renew their tokens.
  const leewaySeconds = messagingData.emulation?.tokenLifetime === undefined ? undefined : 0;
  const local =
    localIssuer === undefined
      ? []
      : [{ issuer: LOCAL_ISSUER, keys: fixedKeys(localIssuer.jwks()), leewaySeconds }];
  const others = await Promise.all(
    auth.issuers.map(async (given, index) => ({
      issuer: given.issuer,
      keys: keysOf(given),
      introspection: await introspectionOf(given, `auth.issuers[${index}]`),
      audience: given.audience,
    })),
  );
  return [...local, ...others];
}

type ConfiguredIssuer = Config["auth"]["issuers"][number];

function keysOf({ jwksUri, jwksFile }: ConfiguredIssuer): KeySource | undefined {
  if (jwksFile !== undefined) return fileKeys(jwksFile);
  return jwksUri === undefined ? undefined : remoteKeys(jwksUri);
}

/** @throws ConfigError if the secret's file cannot be read now. The file may be replaced later. */
async function introspectionOf(
  given: ConfiguredIssuer,
  path: string,
): Promise<IntrospectionSource | undefined> {
  const { introspectionUrl, clientId = "", clientSecret = "", clientSecretFile } = given;
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
  return { endpoint, cacheMs: given.introspectionCache, perSecond: given.introspectionsPerSecond };
}
