import type { ReactNode } from "react";
import type { Day } from "../../../src/model/day.js";
import { formatInstant, longDay } from "../days/format-day.js";
import { nextListingOf } from "../days/use-last-listed-day.js";
import { useServices } from "./services.js";

/** States the last listed day and when the next one follows. */
export function Footer({ listed }: { listed: Day }): ReactNode {
  const { config } = useServices();
  return (
    <footer className="footer">
      <p>
        Days are those of Los Angeles (America/Los_Angeles). The last one that is listed is {longDay(listed)},
        and the next will be at {formatInstant(nextListingOf(listed, config.settleDelayMs))}, your time.
      </p>
      <p>Waybill {config.version}</p>
    </footer>
  );
}
