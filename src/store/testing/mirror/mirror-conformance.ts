import type { Store } from "../../store.js";
import { describeAnswers } from "./answers-conformance.js";
import { describeMirrorRetention } from "./mirror-retention-conformance.js";
import { describeOriginals } from "./originals-conformance.js";
import { describeVersions } from "./versions-conformance.js";

/** Tests mirror data for any engine, with a function that reopens the store. */
export function describeMirror(
  storeOf: () => Store,
  reopen: () => Promise<void>,
  runs: (all: number) => number,
): void {
  describeOriginals(storeOf, reopen);
  describeAnswers(storeOf, reopen, runs);
  describeVersions(storeOf, reopen, runs);
  describeMirrorRetention(storeOf);
}
