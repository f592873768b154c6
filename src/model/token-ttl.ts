import type { Duration } from "@bufbuild/protobuf/wkt";

/** Token lifetime, as in `google.protobuf.Duration`. */
export type TokenTtl = Pick<Duration, "seconds" | "nanos">;

const MIN_SECONDS = 30 * 60;
const MAX_SECONDS = 7 * 24 * 60 * 60;
const MAX_NANOS = 999_999_999;

/** Default `tokenTtl`, in seconds. */
export const DEFAULT_TOKEN_TTL_SECONDS = 60 * 60;

/** Returns true if a duration is a valid `tokenTtl`: 30 minutes to 7 days, both included. */
export function isTokenTtl({ seconds, nanos }: TokenTtl): boolean {
  // A message in binary form can hold nanoseconds that are invalid in a duration.
  if (nanos < 0 || nanos > MAX_NANOS) return false;
  return (
    seconds >= MIN_SECONDS && (seconds < MAX_SECONDS || (seconds === BigInt(MAX_SECONDS) && nanos === 0))
  );
}

/** App-attestation settings of an app. Omitted settings have their defaults. */
export interface AppAttestConfigValues {
  readonly tokenTtl?: TokenTtl | undefined;
}
