import type { Duration } from "@bufbuild/protobuf/wkt";

const MIN_SECONDS = 30 * 60;
const MAX_SECONDS = 7 * 24 * 60 * 60;
const MAX_NANOS = 999_999_999;

/** What `tokenTtl` is when nobody set it, in seconds. */
export const DEFAULT_TOKEN_TTL_SECONDS = 60 * 60;

/** Whether a duration may be a `tokenTtl`: from 30 minutes to 7 days, both included. */
export function isTokenTtl({ seconds, nanos }: Pick<Duration, "seconds" | "nanos">): boolean {
  // The binary form of a message can have parts of a second that make no duration.
  if (nanos < 0 || nanos > MAX_NANOS) return false;
  return (
    seconds >= MIN_SECONDS && (seconds < MAX_SECONDS || (seconds === BigInt(MAX_SECONDS) && nanos === 0))
  );
}
