import { isDeepStrictEqual } from "node:util";
import type { Random } from "../../src/simulator/random.js";
import type { Caller } from "../callers/caller.js";
import { difference, entriesOf, namesOf } from "../expected/entry-order.js";
import type { Traffic } from "../expected/traffic.js";
import type { Twins } from "../expected/twins.js";
import { oneOf } from "./pacing.js";
import { parentOf, type World } from "./world.js";

/** Reads a completely imported app in pages of random size. The result must never change. */
export async function readSettled(world: World, random: Random): Promise<void> {
  if (world.settled.length === 0) return;
  const { project, entries } = oneOf(world.settled, random);
  const [app, expected] = oneOf([...entries], random);
  const caller = oneOf(world.callers, random);
  const pageSize = 5 + random.below(400);
  const pages = await walk(world, caller, parentOf(project, app), pageSize);
  report(world, `${caller.protocol}: ${app} by pages of ${pageSize}`, () =>
    difference(entriesOf(pages), expected),
  );
}

/** Reads a completely imported app's sums. */
export async function sumSettled(world: World, random: Random): Promise<void> {
  if (world.settled.length === 0) return;
  const { project, entries } = oneOf(world.settled, random);
  const [app, expected] = oneOf([...entries], random);
  const caller = oneOf(world.callers, random);
  const sums = await world.calls.once(caller.protocol, "sums", async () =>
    caller.sumByLabel?.(parentOf(project, app)),
  );
  if (sums === undefined) return;
  const summed = new Map(
    sums.groups?.map(({ analyticsLabel = "", counts }) => [
      analyticsLabel,
      Number(counts?.countMessagesAccepted ?? 0),
    ]),
  );
  const wanted = new Map<string, number>();
  for (const { analyticsLabel = "", data } of expected) {
    const count = Number(data?.countMessagesAccepted ?? 0);
    wanted.set(analyticsLabel, (wanted.get(analyticsLabel) ?? 0) + count);
  }
  if (!isDeepStrictEqual(summed, wanted)) {
    world.violations.add(
      `${caller.protocol}: sums of ${app}: ${JSON.stringify([...summed])}, not ${JSON.stringify([...wanted])}`,
    );
  }
}

/** Reads an app while it grows: no entry may be repeated, and none that was listed before may be missing. */
export class GrowingReader {
  readonly #world: World;
  readonly #random: Random;
  readonly #seen = new Map<string, ReadonlySet<string>>();

  constructor(world: World, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  async read(): Promise<void> {
    const { growing, callers } = this.#world;
    if (growing.length === 0) return;
    const { project, entries }: Traffic = oneOf(growing, this.#random);
    const app = oneOf([...entries.keys()], this.#random);
    const caller = oneOf(callers, this.#random);
    const parent = parentOf(project, app);
    const pages = await walk(this.#world, caller, parent, 3 + this.#random.below(40));
    report(this.#world, `${caller.protocol}: ${parent} while it grows`, () => {
      const names = namesOf(entriesOf(pages));
      const hidden = [...(this.#seen.get(parent) ?? [])].filter((name) => !names.has(name));
      this.#seen.set(parent, names);
      return hidden.length > 0 ? `no longer listed: ${hidden.join(", ")}` : undefined;
    });
  }
}

export async function readTwins(world: World, twins: Twins, random: Random): Promise<void> {
  const caller = oneOf(world.callers, random);
  const [page = {}] = await walk(world, caller, parentOf(twins.project, twins.app), 1_000);
  report(world, caller.protocol, () => {
    twins.countIn(page);
    return undefined;
  });
}

export const walk = (world: World, caller: Caller, parent: string, pageSize: number) =>
  caller.walk(parent, pageSize, (call) => world.calls.responded(caller.protocol, "list", call));

function report({ violations }: World, where: string, check: () => string | undefined): void {
  try {
    const wrong = check();
    if (wrong !== undefined) violations.add(`${where}: ${wrong}`);
  } catch (error) {
    violations.add(`${where}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
