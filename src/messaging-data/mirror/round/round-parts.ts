import type { Store } from "../../../store/store.js";
import type { Original } from "../original/original.js";
import type { AppWalk } from "./walk-app.js";

/** What a round of some apps works with. */
export interface RoundParts {
  readonly original: Original;
  readonly store: Store;
  /** Project number, in decimal. */
  readonly project: string;
  /** Returns the digest of the only page of an app whose entries are published, if the page need not be read again. */
  readonly knownDigest: (appId: string) => string | undefined;
  /** Called at the end of each walk. */
  readonly onWalked: (walk: AppWalk) => void;
  /** Called when all entries of these walks are published. */
  readonly onPublished: (walks: readonly AppWalk[]) => Promise<void>;
  /** Called before each change of entries. @throws if this process may not change them any more. */
  readonly expectLease: () => void;
}
