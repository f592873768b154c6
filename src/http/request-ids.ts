import { randomBytes } from "node:crypto";

/** Creates a generator of request ids that are unique among all processes: a random prefix with a counter. */
export function requestIds(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
