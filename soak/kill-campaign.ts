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

/** How often to kill and by which dice. */
export interface KillCampaignOptions {
  readonly kills: number;
  readonly seed: number;
  /** Empty, and removed afterwards. */
  readonly directory: string;
}

/** Servers that are killed at the same time, each with its own data. */
const LANES = 2;
/** Kills after which everything is looked at. */
const KILLS_A_LOOK = 25;
/** Looks after which a lane begins anew with an empty directory, so that the first start of a server is killed too. */
const LOOKS_A_DIRECTORY = 4;
/** The share of kills that do not wait until the server is ready. */
const DURING_START = 0.25;
/** Milliseconds within which a killed start would have become ready, about. */
const START = 900;
/** Milliseconds that a server lives once it is ready, at most. */
const LIFE = 800;
/** Messages for each project between two looks. */
const MESSAGES = 800;
/** So little that the log is written into the main file after every few imports, and kills meet that. */
const CHECKPOINT_THRESHOLD = "256KB";

/** Kills servers at random moments: while they start, import, change, roll up, and write their log into the main file. */
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

/** What the lanes share. */
interface Campaign {
  readonly kills: number;
  /** Kills so far, those under way among them. */
  begun: number;
  readonly report: Report;
  readonly progress: Progress;
}

/** Kills servers in a new data directory, and looks at everything now and then. */
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
    for (let look = 0; campaign.begun < campaign.kills && look < LOOKS_A_DIRECTORY; look++) {
      addTraffic(world, `look-${look}`, MESSAGES, random);
      await disturbance.during(() => killOften(campaign, world, server, random));
      await finishImports(world, random);
      await verify(world, dataDir);
      campaign.progress.tell(`looked at everything: ${campaign.report.line(world, "")}`);
    }
  } finally {
    campaign.report.totals(world);
    await server.end("SIGKILL");
    for (const caller of world.callers) caller.disconnect();
  }
}

/** Starts and kills a server while clients are busy; in the end it runs. */
async function killOften(
  campaign: Campaign,
  world: World,
  server: SoakedServer,
  random: Random,
): Promise<void> {
  const end = new AbortController();
  // Each client listens.
  setMaxListeners(0, end.signal);
  const kills = killInTurn(campaign, world, server, random).finally(() => end.abort());
  await Promise.all([kills, busy(world, random, end.signal)]);
}

async function killInTurn(
  campaign: Campaign,
  world: World,
  server: SoakedServer,
  random: Random,
): Promise<void> {
  await server.end("SIGKILL");
  for (let kill = 0; kill < KILLS_A_LOOK && campaign.begun < campaign.kills; kill++) {
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
