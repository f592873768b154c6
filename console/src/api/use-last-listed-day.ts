import { useCallback } from "react";
import { type Day, startOfDay } from "#src/model/day.js";
import { lastListedDay } from "#src/model/listed-days.js";
import { useServices } from "./services.js";
import { useServerTime } from "./use-server-time.js";

/** When the day after `listed` becomes available, in milliseconds since the Unix epoch. */
export const nextListingOf = (listed: Day, settleDelayMs: number): number =>
  startOfDay(listed + 2) + settleDelayMs;

/** The last listed day, updated as time passes. */
export function useLastListedDay(): Day {
  const { settleDelayMs } = useServices().config;
  return useServerTime(useCallback((now) => lastListedDay(now, settleDelayMs), [settleDelayMs]));
}
