import { systemClock } from "../../model/clock.js";
import { describeDayLedger } from "./day-ledger/day-ledger-conformance.js";
import { ProcessDayLedger } from "./process-day-ledger.js";

describeDayLedger("ProcessDayLedger", async (options) => {
  const ledger = new ProcessDayLedger(systemClock, options?.admissionMs);
  return { open: () => ledger, dispose: async () => {} };
});
