import type { Clock } from "../../model/clock.js";
import { describeLeaseStore } from "../testing/lease-conformance.js";
import { ProcessLeases } from "./process-leases.js";

describeLeaseStore("ProcessLeases", async () => {
  let now = 0;
  const clock: Clock = { wall: () => 0, monotonic: () => now };
  return {
    leases: new ProcessLeases(clock),
    pass: async (milliseconds) => {
      now += milliseconds;
    },
  };
});
