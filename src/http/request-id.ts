import { randomBytes } from "node:crypto";

/** Makes a maker of ids that no other process makes, at the cost of counting. */
export function requestIds(): () => string {
  const prefix = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
