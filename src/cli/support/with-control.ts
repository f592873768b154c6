import type { Control } from "../../control/control.js";
import { openControl } from "../../control/engines.js";
import { systemClock } from "../../model/clock.js";
import type { Config } from "../../server/config/config-schema.js";

/** Runs a function with a server's control data. @throws StoreOpenError if the control data cannot be opened. */
export async function withControl<T>(config: Config, work: (control: Control) => Promise<T>): Promise<T> {
  const control = await openControl(config.control, { directory: config.dataDir, clock: systemClock });
  try {
    return await work(control);
  } finally {
    await control.close();
  }
}
