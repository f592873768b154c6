import { byBytes } from "../../model/by-bytes.js";
import type { GapPlace } from "./mirror-gap.js";

/** Compares gaps by the order of the list: by app id in byte order, then by kind, then newest day first. */
export const byPlace = (a: GapPlace, b: GapPlace): number =>
  byBytes(a.appId, b.appId) || a.kind - b.kind || (b.day ?? 0) - (a.day ?? 0);

/** Writes the place of a gap for a page token. */
export const writePlace = ({ appId, kind, day }: GapPlace): string =>
  JSON.stringify(day === undefined ? [appId, kind] : [appId, kind, day]);

/** Reads what {@link writePlace} wrote. */
export function readPlace(text: string): GapPlace {
  const [appId, kind, day] = JSON.parse(text) as [string, GapPlace["kind"], number?];
  return { appId, kind, day };
}
