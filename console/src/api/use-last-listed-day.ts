import { useEffect, useState } from "react";
import { type Day, startOfDay } from "../../../src/model/day.js";
import { lastListedDay } from "../../../src/model/listed-days.js";
import { useServices } from "./services.js";

/** Interval between looks at the clock. */
const CHECK_MS = 60_000;

/** When the day after `listed` becomes available, in milliseconds since the Unix epoch. */
export const nextListingOf = (listed: Day, settleDelayMs: number): number =>
  startOfDay(listed + 2) + settleDelayMs;

/** The last listed day, updated as time passes. */
export function useLastListedDay(): Day {
  const { settleDelayMs } = useServices().config;
  const [day, setDay] = useState(() => lastListedDay(Date.now(), settleDelayMs));
  useEffect(() => {
    const timer = setInterval(() => setDay(lastListedDay(Date.now(), settleDelayMs)), CHECK_MS);
    return () => clearInterval(timer);
  }, [settleDelayMs]);
  return day;
}
