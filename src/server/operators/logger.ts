import { type Logger, pino } from "pino";
import { LogLines } from "./log-lines.js";

/** Logs JSON lines to stderr. Callers never pass it tokens or keys. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: timeField(),
      formatters: { level: (label) => ({ level: label }) },
    },
    new LogLines(),
  );
}

/** Creates a function that returns the field with the time; many lines of busy servers share a millisecond. */
function timeField(): () => string {
  let last = Number.NaN;
  let field = "";
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      field = `,"time":"${new Date(now).toISOString()}"`;
    }
    return field;
  };
}
