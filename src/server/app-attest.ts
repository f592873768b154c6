import { readFile } from "node:fs/promises";
import { inProject, ofApp } from "../api/caller.js";
import { Artifacts } from "../integrity/app-attest/artifacts.js";
import { attestedKeyHandlers } from "../integrity/app-attest/attested-key-handlers.js";
import { AttestedKeys } from "../integrity/app-attest/attested-keys.js";
import { Challenges } from "../integrity/app-attest/challenges.js";
import { AppAttestExchange } from "../integrity/app-attest/exchange.js";
import { exchangeHandlers } from "../integrity/app-attest/exchange-handlers.js";
import { APPLE_ROOT } from "../integrity/attestation/apple-root.js";
import { type RootCertificate, readRootCertificate } from "../integrity/attestation/certificate-path.js";
import { MalformedInput } from "../integrity/attestation/steps.js";
import type { AttestationFailures } from "../integrity/failures/attestation-failures.js";
import type { TokenIssuer } from "../integrity/tokens/token-issuer.js";
import { systemReason } from "../model/system-error.js";
import type { Config } from "./config/config-schema.js";
import { ConfigError } from "./config/config-values.js";
import type { ServerParts } from "./server-parts.js";

/**
 * Creates handlers for the App Attest methods.
 *
 * @throws ConfigError if the root certificate cannot be read.
 * @throws KeyError if the artifact key is damaged.
 * @throws StoreUnavailableError if the records cannot be read or written.
 */
export async function appAttestHandlers(
  parts: ServerParts,
  issuer: TokenIssuer,
  failures: AttestationFailures,
) {
  const { config, control, registry, pageTokens, dayClock: clock, logger } = parts;
  const { records } = control;
  const challenges = new Challenges(records, clock, parts.clock);
  const keys = new AttestedKeys(records);
  const exchange = new AppAttestExchange({
    ...{ records, challenges, keys, clock },
    artifacts: await Artifacts.open(records),
    root: await attestationRoot(config),
    failures,
  });
  const devices = exchangeHandlers({ registry, challenges, exchange, issuer });
  const managed = attestedKeyHandlers(keys, registry, pageTokens, (key) =>
    logger.info({ ...key }, "revoked an attested key"),
  );
  return {
    generateAppAttestChallenge: ofApp(devices.challenge),
    exchangeAppAttestAttestation: ofApp(devices.attestation),
    exchangeAppAttestAssertion: ofApp(devices.assertion),
    listAttestedKeys: inProject(managed.list),
    getAttestedKey: inProject(managed.get),
    deleteAttestedKey: inProject(managed.delete),
  };
}

/**
 * Returns the root certificate of attestations.
 *
 * @throws ConfigError if the file `integrity.attestation.rootFile` cannot be used.
 */
export async function attestationRoot({ integrity }: Pick<Config, "integrity">): Promise<RootCertificate> {
  const file = integrity.attestation.rootFile;
  if (file === undefined) return APPLE_ROOT;
  const key = "integrity.attestation.rootFile";
  try {
    return readRootCertificate(await readFile(file));
  } catch (cause) {
    const reason = cause instanceof MalformedInput ? cause.message : systemReason(cause);
    throw new ConfigError(`${key}: ${file} cannot be used: ${reason ?? String(cause)}`, { cause });
  }
}
