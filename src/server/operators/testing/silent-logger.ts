import { systemClock } from "../../../model/clock.js";
import { loggerTo } from "../logger.js";

/** A logger that writes nothing. */
export const silentLogger = loggerTo({ write: () => {} }, "silent", systemClock);
