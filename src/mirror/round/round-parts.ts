import type { Fence } from "../../control/lease-store.js";
import type { AppWalk, WalkParts } from "./walk-app.js";

/** Parts of a round of some apps. */
export interface RoundParts extends WalkParts {
  /** Called at the end of each walk. */
  readonly onWalked: (walk: AppWalk) => void;
  /** Called when all entries of these walks are published. */
  readonly onPublished: (walks: readonly AppWalk[]) => Promise<void>;
  /** Called before each change of entries. @throws if this process may not change them any more. */
  readonly expectLease: () => void;
  /** The right to change entries, which the store checks. */
  readonly fence: Fence;
}
