import type { Random } from "../../src/simulator/random.js";
import { changeSome, readConfigs } from "./changer.js";
import { ConsoleVisitor } from "./console-visitor.js";
import { watchHealth } from "./health-watcher.js";
import { importByCommand, importNext, importTwins } from "./importers.js";
import { repeatedly } from "./pacing.js";
import { GrowingReader, readSettled, readTwins, sumSettled } from "./readers.js";
import { beRude } from "./rude-client.js";
import type { World } from "./world.js";

/**
 * Average milliseconds between two actions of a client, which makes about fifteen requests a second in all.
 */
const PAUSES = {
  import: 1_200,
  command: 15_000,
  twins: 1_500,
  read: 500,
  change: 500,
  console: 6_000,
  rude: 2_500,
};
const IMPORTERS = 2;
const CHANGERS = 2;

/** Runs all kinds of clients until the signal aborts. Resolves when the last one has finished. */
export async function everyday(world: World, random: Random, signal: AbortSignal): Promise<void> {
  const at = (pause: number, work: () => Promise<void>): Promise<void> =>
    repeatedly({ pause, random, signal }, work);
  const several = (count: number, client: () => Promise<void>): Promise<void>[] =>
    Array.from({ length: count }, client);
  const growing = new GrowingReader(world, random);
  const visitor = new ConsoleVisitor(world, random);
  await Promise.all([
    ...several(IMPORTERS, () => at(PAUSES.import, () => importNext(world, random))),
    at(PAUSES.command, () => importByCommand(world, random)),
    ...world.twins.flatMap((twins) => [
      at(PAUSES.twins, () => importTwins(world, twins, random)),
      at(PAUSES.twins, () => readTwins(world, twins, random)),
    ]),
    at(PAUSES.read, () => readSettled(world, random)),
    at(PAUSES.read, () => sumSettled(world, random)),
    at(PAUSES.read, () => growing.read()),
    ...several(CHANGERS, () => at(PAUSES.change, () => changeSome(world, random))),
    at(PAUSES.read, () => readConfigs(world, random)),
    at(PAUSES.console, () => visitor.visit()),
    at(PAUSES.rude, () => beRude(world, random)),
    watchHealth(world, signal),
  ]);
  visitor.disconnect();
  for (const caller of world.callers) caller.disconnect();
}
