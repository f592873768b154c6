import { createContext, use, useCallback, useEffect, useState } from "react";
import { type ClockSetting, timeOf } from "#src/model/clock.js";
import { type Day, lastListedDay, startOfDay } from "#src/model/day.js";
import type { ConsoleConfig } from "./console-config.js";
import type { WaybillApi } from "./waybill-api.js";

/** Available to every part of the page. */
export interface Services {
  readonly config: ConsoleConfig;
  readonly api: WaybillApi;
}

/** Undefined before sign-in. */
export const ServicesContext = createContext<Services | undefined>(undefined);

/** Returns the services for the signed-in viewer. @throws Error if nobody is signed in. */
export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === undefined) throw new Error("nobody is signed in");
  return services;
}

/** Interval for reading the system clock. */
const CHECK_MS = 60_000;
/** Interval for reading an adjustable clock, which may run fast. */
const CHECK_ADJUSTABLE_MS = 1_000;

const nowOf = (clock: ClockSetting | undefined): number =>
  clock === undefined ? Date.now() : timeOf(clock, Date.now());

/**
 * Returns a number computed from the server's time, updated as time passes.
 *
 * @param read a stable function of milliseconds since the Unix epoch
 */
export function useServerTime(read: (now: number) => number): number {
  const { clock } = useServices().config;
  const [value, setValue] = useState(() => read(nowOf(clock)));
  useEffect(() => {
    const look = (): void => setValue(read(nowOf(clock)));
    look();
    const timer = setInterval(look, clock === undefined ? CHECK_MS : CHECK_ADJUSTABLE_MS);
    return () => clearInterval(timer);
  }, [clock, read]);
  return value;
}

/** Returns when the day after `listed` becomes available, in milliseconds since the Unix epoch. */
export const nextListingOf = (listed: Day, settleDelayMs: number): number =>
  startOfDay(listed + 2) + settleDelayMs;

/** Returns the last listed day, updated as time passes. */
export function useLastListedDay(): Day {
  const { settleDelayMs } = useServices().config;
  return useServerTime(useCallback((now) => lastListedDay(now, settleDelayMs), [settleDelayMs]));
}
