import { setMaxListeners } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../src/simulator/random.js";
import { finishImports, verify } from "./expected/verify.js";
import { Disturbance } from "./faults/disturbance.js";
import type { Progress } from "./report/progress.js";
import type { Report } from "./report/report.js";
import { LogWatch } from "./server/log-watch.js";
import { SoakedServer } from "./server/soaked-server.js";
import { busy } from "./work/busy.js";
import { addTraffic, newWorld } from "./work/new-world.js";
import type { World } from "./work/world.js";

export interface KillCampaignOptions {
  readonly kills: number;
  readonly seed: number;
  /** An empty directory, removed afterwards. */
  readonly directory: string;
}

/** Servers killed concurrently, each with its own data. */
const LANES = 2;
/** Kills between two complete checks. */
const KILLS_A_CHECK = 25;
/**
 * Checks after which a lane starts over with an empty directory, which exposes the first start to kills too.
 */
const CHECKS_A_DIRECTORY = 4;
/** Share of kills that do not wait until the server is ready. */
const DURING_START = 0.25;
/** Approximate milliseconds until a start becomes ready. */
const START = 900;
/** Maximum time from ready to kill, in milliseconds. */
const LIFE = 800;
/** Messages for each project between two checks. */
const MESSAGES = 800;
/** Small enough for a checkpoint after every few imports, which exposes checkpoints to kills. */
const CHECKPOINT_THRESHOLD = "256KB";

/** Kills servers at random moments: during starts, imports, changes, rollups, and checkpoints of the database. */
export async function killCampaign(
  { kills, seed, directory }: KillCampaignOptions,
  report: Report,
  progress: Progress,
): Promise<void> {
  const campaign = { kills, begun: 0, report, progress };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const random = new Random(seed + lane);
    const own = join(directory, `lane-${lane}`);
    while (campaign.begun < kills) {
      await killInDirectory(campaign, own, random);
      rmSync(own, { recursive: true });
    }
  });
  await Promise.all(lanes);
}

interface Campaign {
  readonly kills: number;
  /** Kills so far, including those in progress. */
  begun: number;
  readonly report: Report;
  readonly progress: Progress;
}

/** Kills servers in a new data directory, with complete checks in between. */
async function killInDirectory(campaign: Campaign, directory: string, random: Random): Promise<void> {
  const { violations, tally } = campaign.report;
  const dataDir = join(directory, "data");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const disturbance = new Disturbance();
  const log = new LogWatch(disturbance, violations);
  const options = { directory, dataDir, log, violations, checkpointThreshold: CHECKPOINT_THRESHOLD };
  const server = await SoakedServer.prepare(options);
  const world = newWorld({ server, random, tally, disturbance, violations });
  try {
    for (let check = 0; campaign.begun < campaign.kills && check < CHECKS_A_DIRECTORY; check++) {
      addTraffic(world, `check-${check}`, MESSAGES, random);
      await disturbance.during(() => killOften(campaign, world, server, random));
      await finishImports(world, random);
      await verify(world, dataDir);
      campaign.progress.log(`checked everything: ${campaign.report.line(world, "")}`);
    }
  } finally {
    campaign.report.totals(world);
    await server.end("SIGKILL");
    for (const caller of world.callers) caller.disconnect();
  }
}

/** Starts and kills a server while clients are busy, and leaves it running. */
async function killOften(
  campaign: Campaign,
  world: World,
  server: SoakedServer,
  random: Random,
): Promise<void> {
  const end = new AbortController();
  // Each client adds a listener.
  setMaxListeners(0, end.signal);
  const kills = killRepeatedly(campaign, world, server, random).finally(() => end.abort());
  await Promise.all([kills, busy(world, random, end.signal)]);
}

async function killRepeatedly(
  campaign: Campaign,
  world: World,
  server: SoakedServer,
  random: Random,
): Promise<void> {
  await server.end("SIGKILL");
  for (let kill = 0; kill < KILLS_A_CHECK && campaign.begun < campaign.kills; kill++) {
    campaign.begun += 1;
    const early = random.chance(DURING_START);
    const started = server.start();
    await (early ? sleep(random.below(START)) : started.then(() => sleep(random.below(LIFE))));
    await server.end("SIGKILL");
    await started;
    campaign.report.fault({ kind: early ? "kill -9 at a start" : "kill -9" });
    campaign.progress.update(campaign.report.line(world, ""));
  }
  await server.start();
}
