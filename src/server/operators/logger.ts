import { type Logger, pino } from "pino";
import { GatheredLines } from "./gathered-lines.js";
import { isoTimes } from "./iso-times.js";

/** Logs JSON lines to stderr. Callers never pass it tokens or keys. */
export function createLogger(level: string): Logger {
  const stderr = pino.destination({ dest: 2, sync: false, minLength: 0 });
  const isoTime = isoTimes();
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    new GatheredLines(stderr).flushAtExit(),
  );
}
