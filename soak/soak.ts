import { setMaxListeners } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../src/simulator/random.js";
import { finishImports, verify } from "./expected/verify.js";
import { Disturbance } from "./faults/disturbance.js";
import { type Fault, faultsFor } from "./faults/faults.js";
import { RamDisk } from "./faults/ram-disk.js";
import type { Progress } from "./report/progress.js";
import { type Report, usageText } from "./report/report.js";
import { LogWatch } from "./server/log-watch.js";
import { SoakedServer } from "./server/soaked-server.js";
import { growthViolations, MAX_MORE_FILES, type Usage } from "./server/usage.js";
import { everyday } from "./work/everyday.js";
import { addTraffic, newWorld } from "./work/new-world.js";
import { oneOf } from "./work/pacing.js";
import type { World } from "./work/world.js";

export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  /** An empty directory, removed afterwards. */
  readonly directory: string;
}

/** Maximum duration of a round in milliseconds. */
const MAX_ROUND = 75_000;
const MIN_ROUNDS = 3;
/** Share of the time in which injected failures may end the process. Leaks show only in the part without restarts. */
const DEADLY = 0.5;
/** Average milliseconds between two injected failures. */
const FAULT_PAUSE = 2_500;
const DISK_MIB = 600;
/** Messages for each project and second of a round, about as many as the importers can send. */
const MESSAGES_A_SECOND = 55;
/** Time limit for closing connections that clients have released, in milliseconds. */
const MAX_CLOSING = 20_000;

/** Soaks one server: rounds of work under fault injection, each followed by a complete check. */
export async function soak(options: SoakOptions, report: Report, progress: Progress): Promise<void> {
  const { directory, minutes, seed } = options;
  const { violations, tally } = report;
  const disturbance = new Disturbance();
  const disk = RamDisk.mount(join(directory, "disk"), DISK_MIB);
  const dataDir = disk?.dataDir ?? join(directory, "data");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const log = new LogWatch(disturbance, violations);
  const server = await SoakedServer.prepare({ directory, dataDir, log, violations });
  // A separate generator: only the seed determines the failures and their order.
  const dice = new Random(seed + 1);
  const faults = faultsFor({ server, disk, random: dice, disturbance, violations });
  for (const kind of ["full disk", "slow disk"]) {
    if (!faults.some((fault) => fault.kind === kind)) report.remark(`${kind}: not possible here`);
  }
  const random = new Random(seed);
  const duration = minutes * 60_000;
  const length = Math.min(MAX_ROUND, duration / MIN_ROUNDS);
  const start = performance.now();
  const world = newWorld({ server, random, tally, disturbance, violations });
  try {
    await server.start();
    let first: Usage | undefined;
    let last: Usage | undefined;
    for (let round = 1; round <= MIN_ROUNDS || performance.now() < start + duration; round++) {
      const deadly = round === 1 || performance.now() < start + DEADLY * duration;
      addTraffic(world, `round-${round}`, Math.ceil((MESSAGES_A_SECOND * length) / 1_000), random);
      const possible = faults.filter((fault) => deadly || !fault.deadly);
      await work(world, random, () =>
        strike(possible, length, dice, {
          begins: ({ kind }) => progress.update(report.line(world, kind)),
          ended: (fault) => report.fault(fault),
        }),
      );
      await finishImports(world, random);
      await verify(world, dataDir);
      last = await settledUsage(world, server, first);
      // Measured in the process that runs until the end, after it has handled every kind of work.
      if (!deadly) first ??= last;
      progress.log(`checkpoint ${round}: ${report.line(world, "")}, ${usageText(last)}`);
    }
    if (first !== undefined && last !== undefined) {
      for (const wrong of growthViolations(first, last)) violations.add(wrong);
      report.usage(first, last);
    }
    if ((await server.end("SIGTERM")) !== 0) violations.add("the server did not end well");
  } finally {
    report.totals(world);
    await server.end("SIGKILL");
    disk?.unmount();
  }
}

/** Runs the clients during other work. */
async function work(world: World, random: Random, meanwhile: () => Promise<void>): Promise<void> {
  const end = new AbortController();
  // Each client adds a listener.
  setMaxListeners(0, end.signal);
  await Promise.all([everyday(world, random, end.signal), meanwhile().finally(() => end.abort())]);
}

interface StrikeObserver {
  begins(fault: Fault): void;
  ended(fault: Fault): void;
}

/** Injects one failure after another, for `length` milliseconds. */
async function strike(
  faults: readonly Fault[],
  length: number,
  dice: Random,
  observer: StrikeObserver,
): Promise<void> {
  const end = performance.now() + length;
  for (;;) {
    const pause = Math.min(dice.wait(FAULT_PAUSE), 2 * FAULT_PAUSE);
    await sleep(Math.max(0, Math.min(pause, end - performance.now())));
    if (performance.now() >= end) return;
    const fault = oneOf(faults, dice);
    observer.begins(fault);
    await fault.strike();
    observer.ended(fault);
  }
}

/** A server's usage after all its clients' connections have closed. */
async function settledUsage(world: World, server: SoakedServer, first: Usage | undefined): Promise<Usage> {
  for (const caller of world.callers) caller.disconnect();
  const deadline = performance.now() + MAX_CLOSING;
  for (let before = await server.usage(); ; ) {
    await sleep(500);
    const usage = await server.usage();
    const fewer = usage.openFiles < before.openFiles;
    const tooMany = first !== undefined && usage.openFiles > first.openFiles + MAX_MORE_FILES;
    if (!(fewer || tooMany) || performance.now() > deadline) return usage;
    before = usage;
  }
}
