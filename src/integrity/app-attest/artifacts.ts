import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { KeyError, type KeyRecords, sharedKey } from "../../control/keys.js";
import type { AppKey } from "../app-key.js";

/** Name of the key that authenticates artifacts, in base64. */
const ARTIFACT_KEY = "app-attest-artifact.key";
const KEY_BYTES = 32;
const KEY_ID_BYTES = 32;

/**
 * Devices send an artifact with each assertion to name their attested key. It contains the key id and a MAC that binds
 * the key to the app. Devices do not interpret artifacts.
 */
export class Artifacts {
  readonly #key: Buffer;

  /** @param key secret that authenticates artifacts. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /**
   * Opens the secret that all processes share.
   *
   * @throws KeyError if the stored secret is damaged.
   * @throws StoreUnavailableError if the secret cannot be read or written.
   */
  static async open(records: KeyRecords): Promise<Artifacts> {
    const make = (): string => randomBytes(KEY_BYTES).toString("base64");
    const { value, place } = await sharedKey(records, ARTIFACT_KEY, make);
    const key = Buffer.from(typeof value === "string" ? value : "", "base64");
    if (key.length === KEY_BYTES) return new Artifacts(key);
    throw new KeyError(
      `the artifact key ${place} is damaged; restore it from a backup with keys; ` +
        "with a new key, apps that were attested get no app tokens until they are reinstalled",
    );
  }

  artifactOf(app: AppKey, keyId: Uint8Array): Buffer {
    return Buffer.concat([keyId, this.#macOf(app, keyId)]);
  }

  /** Returns the key id in an artifact, or `undefined` if the artifact is not valid for this app. */
  keyIdOf(app: AppKey, artifact: Uint8Array): Buffer | undefined {
    const keyId = Buffer.from(artifact.subarray(0, KEY_ID_BYTES));
    const mac = artifact.subarray(KEY_ID_BYTES);
    const expected = this.#macOf(app, keyId);
    return mac.length === expected.length && timingSafeEqual(mac, expected) ? keyId : undefined;
  }

  #macOf({ project, appId }: AppKey, keyId: Uint8Array): Buffer {
    const bound = JSON.stringify([project, appId, Buffer.from(keyId).toString("base64")]);
    return createHmac("sha256", this.#key).update(bound).digest();
  }
}
