import type { RecordChange, Records } from "../../control/records.js";
import type { Clock } from "../../model/clock.js";
import type { RegisteredApp } from "../../registry/entries.js";
import type { AppKey } from "../app-key.js";
import { compressedPoint, readPublicKey } from "../attestation/certificate.js";
import type { RootCertificate } from "../attestation/certificate-path.js";
import type { AssertionStep, AttestationStep, Verification } from "../attestation/steps.js";
import { verifyAssertion } from "../attestation/verify-assertion.js";
import { sha256, verifyAttestation } from "../attestation/verify-attestation.js";
import type { AttestationFailures } from "../failures/attestation-failures.js";
import type { Artifacts } from "./artifacts.js";
import { type AttestedKeys, additionOf, counterChange } from "./attested-keys.js";
import type { Challenges } from "./challenges.js";
import { DeviceKeys } from "./device-keys.js";

/** Steps of an exchange: steps that verify the sent data, and steps that need stored state. */
type ExchangeStep = AttestationStep | AssertionStep | "app" | "challenge" | "artifact" | "attested_key";

export interface AppAttestExchangeParts {
  readonly records: Pick<Records, "change">;
  readonly challenges: Pick<Challenges, "find">;
  readonly keys: Pick<AttestedKeys, "find">;
  readonly artifacts: Artifacts;
  readonly root: RootCertificate;
  readonly clock: Clock;
  /** Records failed steps for operators. Callers do not learn which step failed. */
  readonly failures: Pick<AttestationFailures, "fail">;
}

export interface SentAttestation {
  readonly attestation: Uint8Array;
  readonly challenge: Uint8Array;
  readonly keyId: Uint8Array;
}

export interface SentAssertion {
  readonly assertion: Uint8Array;
  readonly challenge: Uint8Array;
  readonly artifact: Uint8Array;
}

interface AppleApp extends AppKey {
  /** Team id and bundle id, joined by a dot. */
  readonly appleId: string;
  readonly environments: RegisteredApp["environments"];
}

/** Result of a successful verification that is not stored yet. */
interface Outcome<Result> {
  /** Changes to store with the change that uses the challenge. */
  readonly changes: readonly RecordChange[];
  /** Returns the failure to report if another exchange changes the same records first. */
  readonly conflict: () => StepFailure;
  readonly result: Result;
}

/** Thrown if a step of an exchange fails. */
class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly step: ExchangeStep;
  readonly expected: string;
  readonly found: string;

  constructor(step: ExchangeStep, expected: string, found: string) {
    super(`${step}: expected ${expected}; found ${found}`);
    this.step = step;
    this.expected = expected;
    this.found = found;
  }
}

/**
 * Verifies attestations and assertions against the registered app and the stored state. An exchange uses up its
 * challenge even if it fails. The challenge and the counter change in one write, so only one of several simultaneous
 * exchanges succeeds.
 */
export class AppAttestExchange {
  readonly #parts: AppAttestExchangeParts;
  readonly #deviceKeys = new DeviceKeys();

  constructor(parts: AppAttestExchangeParts) {
    this.#parts = parts;
  }

  /**
   * Verifies an attestation and registers the attested key.
   *
   * @returns the artifact for later assertions.
   * @throws ApiError `APP_ATTESTATION_FAILED` if a step fails.
   * @throws StoreUnavailableError if the state cannot be read, or if it is unknown whether the change was stored.
   */
  attest(registered: RegisteredApp, { attestation, challenge, keyId }: SentAttestation): Promise<Buffer> {
    const { root, clock, keys, artifacts } = this.#parts;
    return this.#exchange(registered, challenge, async (app) => {
      const { publicKey, environment } = verifiedOf(
        await verifyAttestation({
          attestation,
          clientDataHash: sha256(challenge),
          keyId,
          appId: app.appleId,
          environments: app.environments,
          root,
          at: clock.wall(),
        }),
      );
      const id = base64url(keyId);
      const point = base64url(compressedPoint(readPublicKey(publicKey)));
      const key = { keyId: id, point, counter: 0, environment, createTime: clock.wall() };
      // A key that is attested again keeps its counter.
      const isKnown = (await keys.find(app, id)) !== undefined;
      return {
        changes: isKnown ? [] : [additionOf(app, key)],
        conflict: () =>
          new StepFailure(
            "challenge",
            "an unused challenge",
            "a challenge that a concurrent exchange has used",
          ),
        result: artifacts.artifactOf(app, keyId),
      };
    });
  }

  /**
   * Verifies an assertion by an attested key, and raises the key's counter.
   *
   * @throws the same errors as {@link attest}.
   */
  assert(registered: RegisteredApp, { assertion, challenge, artifact }: SentAssertion): Promise<void> {
    const { keys, artifacts } = this.#parts;
    return this.#exchange(registered, challenge, async (app) => {
      const id = artifacts.keyIdOf(app, artifact);
      if (id === undefined)
        throw new StepFailure(
          "artifact",
          "an artifact of this app",
          `${artifact.length} bytes that are not an artifact of this app`,
        );
      const key = await keys.find(app, base64url(id));
      if (key === undefined)
        throw new StepFailure("attested_key", "an attested key", `the revoked key ${base64url(id)}`);
      if (!app.environments.includes(key.environment))
        throw new StepFailure("environment", app.environments.join(" or "), key.environment);
      const { counter } = verifiedOf(
        await verifyAssertion({
          assertion,
          clientDataHash: sha256(artifact, challenge),
          publicKey: this.#deviceKeys.keyOf(key.point),
          appId: app.appleId,
          counter: key.counter,
        }),
      );
      return {
        changes: [counterChange(app, key, counter)],
        conflict: () => new StepFailure("counter", `more than ${key.counter}`, "a concurrent exchange"),
        result: undefined,
      };
    });
  }

  async #exchange<Result>(
    registered: RegisteredApp,
    challenge: Uint8Array,
    verify: (app: AppleApp) => Promise<Outcome<Result>>,
  ): Promise<Result> {
    const { records, challenges, failures } = this.#parts;
    const app: AppKey = { project: registered.project, appId: registered.id };
    const use = await challenges.find(app, challenge);
    try {
      if (use === undefined)
        throw new StepFailure(
          "challenge",
          "an unused challenge of the app",
          "an unknown, expired or used challenge",
        );
      const { changes, conflict, result } = await verify(appleApp(registered));
      if ((await records.change([use, ...changes])) === undefined) throw conflict();
      return result;
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error;
      if (use !== undefined) await records.change([use]);
      const { step, expected, found } = error;
      throw await failures.fail(app, { provider: "app_attest", step, expected, found });
    }
  }
}

/** @throws StepFailure if the registered app has no team id or no bundle id. */
function appleApp({
  project,
  id: appId,
  platform,
  namespace,
  teamId,
  environments,
}: RegisteredApp): AppleApp {
  const missing = [...(teamId === "" ? ["teamId"] : []), ...(namespace === "" ? ["bundleId"] : [])];
  if (platform !== "ios" || missing.length > 0) {
    const found =
      platform === "ios" ? `no ${missing.join(" and no ")}` : `the platform ${platform ?? "unknown"}`;
    throw new StepFailure("app", "an iOS app with teamId and bundleId", found);
  }
  return { project, appId, appleId: `${teamId}.${namespace}`, environments };
}

function verifiedOf<Name extends ExchangeStep, Verified>(result: Verification<Name, Verified>): Verified {
  if (result.ok) return result.verified;
  const { name, expected, found } = result.failed;
  throw new StepFailure(name, expected, found);
}

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
