import { type Logger, pino } from "pino";

/** Logs JSON lines to stderr. Callers never pass it tokens or keys. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: false, minLength: 0 }),
  );
}
