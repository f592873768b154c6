import type { NameLimits } from "../../model/names.js";
import type { Store } from "../store.js";

/** An engine under test. */
export interface StoreUnderTest {
  /** Opens the store. If reopened after `close`, it has the same data, possibly with other limits. */
  open(nameLimits?: NameLimits): Promise<Store>;
  /** Removes everything. */
  dispose(): Promise<void>;
}
