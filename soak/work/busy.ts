import type { Random } from "../../src/simulator/random.js";
import { changeSome } from "./changer.js";
import { importNext, importTwins } from "./importers.js";
import { repeatedly } from "./pacing.js";
import { readTwins } from "./readers.js";
import type { World } from "./world.js";

/** Average milliseconds between two actions of a client, short enough for kills to hit some at work. */
const PAUSE = 30;
const IMPORTERS = 3;

/** Runs clients that import and change as fast as the server permits, until the signal aborts. */
export async function busy(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const again = (work: () => Promise<void>): Promise<void> =>
    repeatedly({ pause: PAUSE, random, signal }, work);
  await Promise.all([
    ...Array.from({ length: IMPORTERS }, () => again(() => importNext(world, random))),
    ...world.twins.flatMap((twins) => [
      again(() => importTwins(world, twins, random)),
      again(() => readTwins(world, twins, random)),
    ]),
    again(() => changeSome(world, random)),
  ]);
}
