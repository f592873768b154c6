import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../src/simulator/random.js";
import type { Violations } from "../report/violations.js";
import type { SoakedServer } from "../server/soaked-server.js";
import type { Disturbance } from "./disturbance.js";
import type { RamDisk } from "./ram-disk.js";
import { canSlowDisk, SlowDisk } from "./slow-disk.js";

/** A failure to inject into the server. */
export interface Fault {
  readonly kind: string;
  /** True if it ends the process. */
  readonly deadly: boolean;
  strike(): Promise<void>;
}

export interface FaultOptions {
  readonly server: SoakedServer;
  /** Disk of the data directory; without it, there is no full disk. */
  readonly disk: RamDisk | undefined;
  readonly random: Random;
  readonly disturbance: Disturbance;
  readonly violations: Violations;
}

const DAY = 86_400_000;
/** Milliseconds of clock jumps: shorter than the life of page tokens, and across ends of days. */
const JUMPS = [2 * DAY, 3_600_000, 61_000, -61_000, -3_600_000, -2 * DAY];

/**
 * The failures possible on this machine. Those outside {@link Disturbance} do not excuse failed calls:
 * the server is only slowed down or must not be affected.
 */
export function faultsFor({ server, disk, random, disturbance, violations }: FaultOptions): readonly Fault[] {
  /** Waits 200 milliseconds, and up to `most` longer. */
  const aWhile = (most: number): Promise<void> => sleep(200 + random.below(most));
  const restart = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> =>
    disturbance.during(async () => {
      const code = await server.end(signal);
      if (signal === "SIGTERM" && code !== 0) violations.add(`after SIGTERM, the server ended with ${code}`);
      await aWhile(500);
      await server.start();
    });
  const always: Fault[] = [
    { kind: "kill -9", deadly: true, strike: () => restart("SIGKILL") },
    { kind: "SIGTERM", deadly: true, strike: () => restart("SIGTERM") },
    {
      kind: "SIGSTOP",
      deadly: false,
      strike: async () => {
        server.signal("SIGSTOP");
        await aWhile(3_500);
        server.signal("SIGCONT");
      },
    },
    {
      kind: "clock jump",
      deadly: false,
      strike: async () => {
        server.shiftClock(JUMPS[random.below(JUMPS.length)] ?? 0);
        await aWhile(3_000);
        server.shiftClock(0);
      },
    },
  ];
  const slow: Fault = {
    kind: "slow disk",
    deadly: false,
    strike: async () => {
      const slowDisk = new SlowDisk(server.pid);
      await aWhile(3_000);
      await slowDisk.stop();
    },
  };
  const full = (on: RamDisk): Fault => ({
    kind: "full disk",
    deadly: false,
    strike: () =>
      disturbance.during(async () => {
        on.fill();
        await aWhile(3_000);
        on.free();
      }),
  });
  return [...always, ...(canSlowDisk() ? [slow] : []), ...(disk === undefined ? [] : [full(disk)])];
}
