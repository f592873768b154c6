import { expect, it } from "vitest";
import type { Day } from "../../../model/day.js";
import type { Store } from "../../store.js";
import { list } from "../list-entries.js";
import { accepted, blocksOf, OTHER_PROJECT, PROJECT, settle } from "../test-events.js";

/** Tests of stale days and their publication, for any engine. */
export function describeStaleDays(storeOf: () => Store, reopen: () => Promise<void>): void {
  it("lists stale days newest first, up to a limit, until they are rolled up", async () => {
    const first = Date.UTC(2026, 0, 1) / 86_400_000;
    const ahead = [0, 1, 2, 3, 10, 11, 40];
    const events = ahead.map((days) =>
      accepted({
        messageId: `m${days}`,
        eventTime: new Date((first + days) * 86_400_000 + 7.2e7).toISOString(),
      }),
    );
    await storeOf().append(PROJECT, blocksOf(events));
    await storeOf().append(PROJECT, blocksOf(events.slice(0, 2)));
    await storeOf().append(OTHER_PROJECT, blocksOf(events.slice(0, 3)));
    expect([...(await storeOf().staleProjects())].sort((a, b) => a.days - b.days)).toMatchObject([
      { project: OTHER_PROJECT, days: 3 },
      { project: PROJECT, days: 7 },
    ]);
    const stale = (before?: Day) => storeOf().staleDays({ project: PROJECT, before, limit: 3 });
    expect(await stale()).toEqual([first + 40, first + 11, first + 10]);
    expect(await stale(first + 10)).toEqual([first + 3, first + 2, first + 1]);
    expect(await stale(first + 1)).toEqual([first]);
    expect(await stale(first)).toEqual([]);

    // Leaves adjacent days, and the days of another project, stale.
    const done = await storeOf().rollUp(PROJECT, [first + 40, first + 10, first + 1]);
    expect(done).toBeGreaterThanOrEqual(1);
    const rest = [40, 10, 1].slice(done);
    expect(await storeOf().staleDays({ project: PROJECT, limit: 9 })).toEqual(
      ahead
        .filter((days) => rest.includes(days) || ![40, 10, 1].includes(days))
        .map((days) => first + days)
        .sort((a, b) => b - a),
    );
    expect(await list(storeOf(), "app")).toHaveLength(done);
    expect(await list(storeOf(), "app", OTHER_PROJECT)).toEqual([]);
  });

  it("publishes a day as a whole, and changes all versions that include it", async () => {
    const day = Date.UTC(2026, 2, 5) / 86_400_000;
    const versions = () =>
      Promise.all([
        storeOf().version(PROJECT, day - 1),
        storeOf().version(PROJECT, day),
        storeOf().version("1", day),
      ]);
    const before = await versions();
    expect(await storeOf().isEmpty()).toBe(true);
    await storeOf().append(PROJECT, blocksOf([accepted({})]));
    expect(await storeOf().isEmpty()).toBe(false);
    expect(await list(storeOf(), "app")).toEqual([]);
    await settle(storeOf());
    const after = await versions();
    expect(after.map((version, index) => version !== before[index])).toEqual([false, true, false]);
    expect(await list(storeOf(), "app")).toHaveLength(1);
  });

  it("never shows part of a day while the day is rolled up again", async () => {
    const events = Array.from({ length: 3000 }, (_, i) =>
      accepted({ messageId: `${i}`, analyticsLabel: `l${i % 300}` }),
    );
    await storeOf().append(PROJECT, blocksOf(events));
    await settle(storeOf());
    let done = false;
    const again = (async () => {
      for (let i = 0; i < 10; i++) {
        await storeOf().append(PROJECT, blocksOf(events.slice(0, 2)));
        await settle(storeOf());
      }
    })().finally(() => {
      done = true;
    });
    const sizes = new Set<number>();
    while (!done) sizes.add((await list(storeOf(), "app")).length);
    await again;
    expect([...sizes]).toEqual([300]);
  });

  it("keeps a day stale until a rollup includes all its events, even across a restart", async () => {
    await storeOf().append(PROJECT, blocksOf([accepted({})]));
    await reopen();
    const stale = await storeOf().staleProjects();
    expect(stale).toMatchObject([{ project: PROJECT, days: 1 }]);
    expect(stale[0]?.since).toBeLessThanOrEqual(Date.now());
    expect(await storeOf().staleDays({ project: PROJECT, limit: 9 })).toEqual([
      Date.UTC(2026, 2, 5) / 86_400_000,
    ]);
    await settle(storeOf());
    expect(await storeOf().staleProjects()).toEqual([]);
    await storeOf().append(PROJECT, blocksOf([accepted({ messageId: "late" })]));
    expect(await storeOf().staleProjects()).toMatchObject([{ project: PROJECT, days: 1 }]);
    await settle(storeOf());
    await reopen();
    expect(await list(storeOf(), "app")).toMatchObject([{ data: { countMessagesAccepted: "2" } }]);
  });

  it("serializes concurrent rollups", async () => {
    await storeOf().append(PROJECT, blocksOf([accepted({})]));
    await Promise.all([1, 2, 3].map(() => settle(storeOf())));
    expect(await list(storeOf(), "app")).toHaveLength(1);
  });
}
