import type { NameLimits } from "../../model/names.js";
import type { Store } from "../store.js";

/** An engine under test. */
export interface StoreUnderTest {
  /** Opens the store; reopened after `close`, it has the same data, with other limits if they differ. */
  open(nameLimits?: NameLimits): Promise<Store>;
  /** Removes everything. */
  dispose(): Promise<void>;
}
