import { describe, expect, it, onTestFinished, vi } from "vitest";
import { NoSlotError, WaitAllowance, WaitTimeoutError } from "../../limits/limit-wait.js";
import { MAX_WAIT_MS, MAX_WAITING } from "../../limits/limits.js";
import { AppIncidents } from "./app-incidents.js";

const UNTIL = 20_000;

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Incidents of projects with three apps each, whose evaluations last until the test ends them. */
function slowIncidents() {
  const begun: string[] = [];
  const listed: string[] = [];
  let end = (): void => {};
  const incidents = new AppIncidents({
    version: async () => "1",
    listApps: async ({ project }) => {
      listed.push(project);
      return ["a", "b", "c"].map((appId) => ({ appId, firstDay: UNTIL, lastDay: UNTIL }));
    },
    sumEntries: async ({ project, appId }) => {
      begun.push(`${project}/${appId}`);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return [];
    },
    readHistories: async () => [],
    digestCounts: async () => "1",
  });
  const ask = (
    project: string,
    appId: string | undefined,
    principal?: string,
    { signal } = new AbortController(),
  ) => {
    if (principal !== undefined) new WaitAllowance().cover(signal);
    return incidents.of({ project, until: UNTIL, ...(appId !== undefined && { appId }) }, signal, principal);
  };
  /** Ends evaluations until no other begins. */
  const endAll = async (): Promise<void> => {
    for (let ended = -1; ended < begun.length; ) {
      ended = begun.length;
      end();
      await settled();
    }
  };
  /** Ends the ongoing evaluation. */
  const endOne = (): void => end();
  return { begun, listed, ask, endOne, endAll };
}

describe("a call for all apps", () => {
  it("gives its turn to other projects after each app", async () => {
    const { begun, ask, endAll } = slowIncidents();
    const calls = [ask("1", undefined, "a")];
    await settled();
    calls.push(ask("2", "app", "b"));
    await settled();
    // As the job asks.
    calls.push(ask("3", "app"));
    await endAll();
    await Promise.all(calls);
    expect(begun).toEqual(["1/a", "2/app", "3/app", "1/b", "1/c"]);
  });

  it("does not hold up a call of the same principal for one app", async () => {
    const { begun, ask, endAll } = slowIncidents();
    const calls = [ask("1", undefined, "someone")];
    await settled();
    calls.push(ask("1", "app", "someone"));
    await endAll();
    await Promise.all(calls);
    expect(begun).toEqual(["1/a", "1/app", "1/b", "1/c"]);
  });

  it("waits until the principal's call before has ended, and reads nothing meanwhile", async () => {
    const { begun, listed, ask, endAll } = slowIncidents();
    const calls = ["1", "2"].map((project) => ask(project, undefined, "someone"));
    await settled();
    expect(listed).toEqual(["1"]);
    await endAll();
    await Promise.all(calls);
    expect(begun).toEqual(["1/a", "1/b", "1/c", "2/a", "2/b", "2/c"]);
  });
});

it("lets the principals of a project take turns, however much one of them asks for", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const asked = ["x1", "x2", "x3", "y1", "y2"].map((appId) => ask("1", appId, appId.charAt(0)));
  await endAll();
  await Promise.all(asked);
  expect(begun).toEqual(["1/x1", "1/y1", "1/x2", "1/y2", "1/x3"]);
});

it("lets projects take turns, however many principals of one of them ask", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const asked = ["u", "v", "w"].map((principal) => ask("1", principal, principal));
  asked.push(ask("2", "x", "x"), ask("2", "y", "y"));
  await endAll();
  await Promise.all(asked);
  expect(begun).toEqual(["1/u", "1/v", "2/x", "1/w", "2/y"]);
});

it("gives a principal with many projects no more turns than others", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const asked = ["1", "2", "3"].map((project) => ask(project, "x", "x"));
  asked.push(ask("4", "y1", "y"), ask("4", "y2", "y"));
  await endAll();
  await Promise.all(asked);
  expect(begun).toEqual(["1/x", "4/y1", "2/x", "4/y2", "3/x"]);
});

it("refuses a principal with too many calls waiting, and no other", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const calls = Array.from({ length: MAX_WAITING + 1 }, (_, i) => ask("1", `app-${i}`, "someone"));
  await settled();
  await expect(ask("1", "app", "someone")).rejects.toThrow(NoSlotError);
  calls.push(ask("1", "app", "another"));
  await endAll();
  await Promise.all(calls);
  expect(begun).toHaveLength(MAX_WAITING + 2);
});

describe("a call that gets no slot in time", () => {
  const fakeTimers = (): void => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
  };

  it.each<[string, appId: string | undefined, principal: string]>([
    ["as an earlier call of its principal still runs", "b", "a"],
    ["as the app of another principal is evaluated", "b", "b"],
    ["for all apps", undefined, "b"],
  ])("is rejected: %s", async (_, appId, principal) => {
    fakeTimers();
    const { begun, ask, endAll } = slowIncidents();
    const first = ask("1", "a", "a");
    await settled();
    const refusal = expect(ask("1", appId, principal)).rejects.toThrow(WaitTimeoutError);
    await settled();
    vi.advanceTimersByTime(MAX_WAIT_MS);
    await refusal;
    await endAll();
    await first;
    expect(begun).toEqual(["1/a"]);
  });

  it("has waited for both slots together", async () => {
    fakeTimers();
    const { begun, ask, endOne, endAll } = slowIncidents();
    const blocking = [ask("1", "a", "a")];
    await settled();
    blocking.push(ask("2", "b", "b"));
    await settled();
    const refusal = expect(ask("1", "c", "a")).rejects.toThrow(WaitTimeoutError);
    await settled();
    vi.advanceTimersByTime(MAX_WAIT_MS - 1);
    endOne();
    await blocking[0];
    await settled();
    expect(begun).toEqual(["1/a", "2/b"]);
    vi.advanceTimersByTime(1);
    await refusal;
    await endAll();
    await Promise.all(blocking);
  });

  it("is not one of the job, which waits as long as it takes", async () => {
    fakeTimers();
    const { begun, ask, endAll } = slowIncidents();
    const asked = [ask("1", "a", "a")];
    await settled();
    asked.push(ask("1", "b"));
    await settled();
    vi.advanceTimersByTime(10 * MAX_WAIT_MS);
    await endAll();
    await Promise.all(asked);
    expect(begun).toEqual(["1/a", "1/b"]);
  });
});

it("forgets a call that is aborted while it waits", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const controller = new AbortController();
  const calls = [ask("1", "a", "a"), ask("1", "c", "b")];
  const [ofCall, ofApp] = [ask("1", "b", "a", controller), ask("2", "b", "c", controller)];
  await settled();
  controller.abort(new Error("gone"));
  await expect(ofCall).rejects.toThrow("gone");
  await expect(ofApp).rejects.toThrow("gone");
  await endAll();
  await Promise.all(calls);
  expect(begun).toEqual(["1/a", "1/c"]);
});
