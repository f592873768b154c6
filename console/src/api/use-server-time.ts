import { useEffect, useState } from "react";
import { type ClockSetting, timeOf } from "#src/model/clock-setting.js";
import { useServices } from "./services.js";

/** Interval between looks at the clock of the machine. */
const CHECK_MS = 60_000;
/** Interval between looks at a clock that can be turned, and may run fast. */
const CHECK_ADJUSTABLE_MS = 1_000;

const nowOf = (clock: ClockSetting | undefined): number =>
  clock === undefined ? Date.now() : timeOf(clock, Date.now());

/**
 * A number that depends on the server's time, updated as that passes.
 *
 * @param read a stable function of milliseconds since the Unix epoch.
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
