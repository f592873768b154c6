import type { Duration } from "@bufbuild/protobuf/wkt";

/** Lifetime of an app token, as in `google.protobuf.Duration`. */
export type TokenTtl = Pick<Duration, "seconds" | "nanos">;

const MIN_SECONDS = 30 * 60;
const MAX_SECONDS = 7 * 24 * 60 * 60;
const MAX_NANOS = 999_999_999;

/** Default `tokenTtl`, in seconds. */
export const DEFAULT_TOKEN_TTL_SECONDS = 60 * 60;

/** Returns true if a duration is a valid `tokenTtl`: at least 30 minutes and at most 7 days. */
export function isTokenTtl({ seconds, nanos }: TokenTtl): boolean {
  // The binary encoding can hold nanoseconds that are out of range for a duration.
  if (nanos < 0 || nanos > MAX_NANOS) return false;
  return (
    seconds >= MIN_SECONDS && (seconds < MAX_SECONDS || (seconds === BigInt(MAX_SECONDS) && nanos === 0))
  );
}

const DURATION = /^(\d{1,12})(?:\.(\d{1,9}))?s$/;

/** Reads a `tokenTtl` in JSON, such as `"3600s"`. Returns `undefined` if it is not valid. */
export function readTokenTtl(json: unknown): TokenTtl | undefined {
  const [, seconds, fraction = ""] = (typeof json === "string" && DURATION.exec(json)) || [];
  if (seconds === undefined) return undefined;
  const ttl = { seconds: BigInt(seconds), nanos: Number(fraction.padEnd(9, "0")) };
  return isTokenTtl(ttl) ? ttl : undefined;
}

/** App Attest settings of an app. An omitted setting has its default. */
export interface AppAttestConfigValues {
  readonly tokenTtl?: TokenTtl | undefined;
}
