import type { Store } from "../store.js";

/** An engine under test. */
export interface StoreUnderTest {
  /** Opens the store; reopened after `close`, it has the same data. */
  open(): Promise<Store>;
  /** Removes everything. */
  dispose(): Promise<void>;
}
