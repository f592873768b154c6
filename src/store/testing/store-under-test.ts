import type { NameLimits } from "../../model/names.js";
import type { Store } from "../store.js";

export interface StoreUnderTest {
  /** Opens the store. If reopened after `close`, it has the same data, possibly with other limits. */
  open(nameLimits?: NameLimits): Promise<Store>;
  /** Compacts the store or makes a backup. Returns the files. */
  compactFiles(store: Store): Promise<readonly string[]>;
  /** Removes everything. */
  dispose(): Promise<void>;
}
