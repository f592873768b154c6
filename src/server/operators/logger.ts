import { type Logger, pino } from "pino";
import type { Clock } from "../../model/clock.js";
import { GatheredLines } from "./gathered-lines.js";
import { isoTimes } from "./iso-times.js";

/** Logs JSON lines to stderr. Callers never pass it tokens or keys. */
export function createLogger(level: string, clock: Clock): Logger {
  const stderr = pino.destination({ dest: 2, sync: false, minLength: 0 });
  const isoTime = isoTimes();
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoTime(clock.wall())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    new GatheredLines(stderr).flushAtExit(),
  );
}
