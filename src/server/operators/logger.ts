import { type Logger, pino } from "pino";
import { LogLines } from "./log-lines.js";

/** Logs JSON lines to stderr. Callers never pass it tokens or keys. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    new LogLines(),
  );
}
