import { printable } from "../../limits/excerpt.js";

/** Steps in which an attestation is verified, in order. */
export type AttestationStep =
  | "format"
  | "authenticator_data"
  | "extensions"
  | "certificates"
  | "certificate_path"
  | "certificate_dates"
  | "nonce"
  | "key_id"
  | "rp_id_hash"
  | "counter"
  | "environment"
  | "credential_id"
  | "public_key";

/** Steps in which an assertion is verified, in order. */
export type AssertionStep =
  | "format"
  | "authenticator_data"
  | "extensions"
  | "public_key"
  | "signature"
  | "rp_id_hash"
  | "counter";

/** Result of one step. Its strings are human-readable, limited in length, and contain no secrets. */
export interface Step<Name extends string = string> {
  readonly name: Name;
  readonly ok: boolean;
  readonly expected: string;
  readonly found: string;
}

/** Result of a verification, with all steps that were possible, in order. */
export type Verification<Name extends string, Verified> =
  | { readonly ok: true; readonly steps: readonly Step<Name>[]; readonly verified: Verified }
  | { readonly ok: false; readonly steps: readonly Step<Name>[]; readonly failed: Step<Name> };

/** Thrown if received bytes do not have the required form. */
export class MalformedInput extends Error {
  override readonly name = "MalformedInput";
}

/** Maximum length of a step's expected or found value, in characters. */
const MAX_STEP_TEXT = 200;

export class StepList<Name extends string> {
  readonly #steps: Step<Name>[] = [];

  add(name: Name, ok: boolean, { expected, found }: { expected: string; found: string }): boolean {
    this.#steps.push({
      name,
      ok,
      expected: printable(expected, MAX_STEP_TEXT),
      found: printable(found, MAX_STEP_TEXT),
    });
    return ok;
  }

  /** Adds a step that compares bytes, and shows them in base64. */
  equal(name: Name, expected: Uint8Array, found: Uint8Array): boolean {
    const ok = Buffer.compare(expected, found) === 0;
    return this.add(name, ok, { expected: base64(expected), found: base64(found) });
  }

  /**
   * Adds a step that reads received bytes.
   *
   * @param describe describes the value that was read.
   * @returns the value; undefined if the bytes are malformed.
   */
  read<T>(name: Name, expected: string, read: () => T, describe: (value: T) => string): T | undefined {
    try {
      const value = read();
      this.add(name, true, { expected, found: describe(value) });
      return value;
    } catch (error) {
      if (!(error instanceof MalformedInput)) throw error;
      this.add(name, false, { expected, found: error.message });
      return undefined;
    }
  }

  /** Ends the verification. `verified` is the result if no step failed. */
  result<Verified>(verified?: Verified): Verification<Name, Verified> {
    const failed = this.#steps.find(({ ok }) => !ok);
    if (failed !== undefined) return { ok: false, steps: this.#steps, failed };
    if (verified === undefined) throw new Error("no step failed, but there is no result");
    return { ok: true, steps: this.#steps, verified };
  }
}

/** Maximum number of bytes to show. */
const MAX_SHOWN_BYTES = 96;

/** Returns bytes in base64, shortened if there are many. */
export const base64 = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes.subarray(0, MAX_SHOWN_BYTES)).toString("base64");
  return bytes.length <= MAX_SHOWN_BYTES ? text : `${text}… (${bytes.length} bytes)`;
};
