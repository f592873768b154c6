import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { NoSlotError, WaitAllowance, WaitTimeoutError } from "../../limits/limit-wait.js";
import { MAX_WAIT_MS, MAX_WAITING } from "../../limits/request-limits.js";
import { AppIncidents } from "./app-incidents.js";

const UNTIL = 20_000;

/** Incidents of projects with three apps each. Evaluations last until the test ends them. */
function slowIncidents() {
  const begun: string[] = [];
  const listed: string[] = [];
  let end = (): void => {};
  const incidents = new AppIncidents(
    {
      version: async () => "1",
      listApps: async ({ project }) => {
        listed.push(project);
        return ["a", "b", "c"].map((appId) => ({ appId, firstDay: UNTIL, lastDay: UNTIL }));
      },
      sumEntries: async ({ project, appId }) => {
        if (appId === undefined) return [];
        begun.push(`${project}/${appId}`);
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return [];
      },
      readHistories: async () => [],
      digestCounts: async () => "1",
    },
    () => false,
  );
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
      await nextTick();
    }
  };
  /** Ends the ongoing evaluation. */
  const endOne = (): void => end();
  return { begun, listed, ask, endOne, endAll };
}

describe("EvaluationSlots for all apps", () => {
  it("frees the slot for other projects after each app", async () => {
    const { begun, ask, endAll } = slowIncidents();
    const calls = [ask("1", undefined, "a")];
    await nextTick();
    calls.push(ask("2", "app", "b"));
    await nextTick();
    // Evaluates like the job.
    calls.push(ask("3", "app"));
    await endAll();
    await Promise.all(calls);
    expect(begun).toEqual(["1/a", "2/app", "3/app", "1/b", "1/c"]);
  });

  it("does not delay a call of the same principal for one app", async () => {
    const { begun, ask, endAll } = slowIncidents();
    const calls = [ask("1", undefined, "someone")];
    await nextTick();
    calls.push(ask("1", "app", "someone"));
    await endAll();
    await Promise.all(calls);
    expect(begun).toEqual(["1/a", "1/app", "1/b", "1/c"]);
  });

  it("waits until the principal's previous call ends, and reads nothing before", async () => {
    const { begun, listed, ask, endAll } = slowIncidents();
    const calls = ["1", "2"].map((project) => ask(project, undefined, "someone"));
    await nextTick();
    expect(listed).toEqual(["1"]);
    await endAll();
    await Promise.all(calls);
    expect(begun).toEqual(["1/a", "1/b", "1/c", "2/a", "2/b", "2/c"]);
  });
});

it("EvaluationSlots is fair between principals of a project, however many calls one of them has", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const asked = ["x1", "x2", "x3", "y1", "y2"].map((appId) => ask("1", appId, appId.charAt(0)));
  await endAll();
  await Promise.all(asked);
  expect(begun).toEqual(["1/x1", "1/y1", "1/x2", "1/y2", "1/x3"]);
});

it("EvaluationSlots is fair between projects, however many principals one of them has", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const asked = ["u", "v", "w"].map((principal) => ask("1", principal, principal));
  asked.push(ask("2", "x", "x"), ask("2", "y", "y"));
  await endAll();
  await Promise.all(asked);
  expect(begun).toEqual(["1/u", "1/v", "2/x", "1/w", "2/y"]);
});

it("EvaluationSlots assigns a principal with many projects no more slots than others", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const asked = ["1", "2", "3"].map((project) => ask(project, "x", "x"));
  asked.push(ask("4", "y1", "y"), ask("4", "y2", "y"));
  await endAll();
  await Promise.all(asked);
  expect(begun).toEqual(["1/x", "4/y1", "2/x", "4/y2", "3/x"]);
});

it("EvaluationSlots rejects only a principal with too many queued calls", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const calls = Array.from({ length: MAX_WAITING + 1 }, (_, i) => ask("1", `app-${i}`, "someone"));
  await nextTick();
  await expect(ask("1", "app", "someone")).rejects.toThrow(NoSlotError);
  calls.push(ask("1", "app", "another"));
  await endAll();
  await Promise.all(calls);
  expect(begun).toHaveLength(MAX_WAITING + 2);
});

describe("EvaluationSlots without a free slot", () => {
  const fakeTimers = (): void => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
  };

  it.each<[string, appId: string | undefined, principal: string]>([
    ["if an earlier call of its principal still runs", "b", "a"],
    ["if the app of another principal is evaluated", "b", "b"],
    ["for all apps", undefined, "b"],
  ])("rejects a call after the maximum wait %s", async (_, appId, principal) => {
    fakeTimers();
    const { begun, ask, endAll } = slowIncidents();
    const first = ask("1", "a", "a");
    await nextTick();
    const rejection = expect(ask("1", appId, principal)).rejects.toThrow(WaitTimeoutError);
    await nextTick();
    vi.advanceTimersByTime(MAX_WAIT_MS);
    await rejection;
    await endAll();
    await first;
    expect(begun).toEqual(["1/a"]);
  });

  it("limits the wait for both slots together", async () => {
    fakeTimers();
    const { begun, ask, endOne, endAll } = slowIncidents();
    const blocking = [ask("1", "a", "a")];
    await nextTick();
    blocking.push(ask("2", "b", "b"));
    await nextTick();
    const rejection = expect(ask("1", "c", "a")).rejects.toThrow(WaitTimeoutError);
    await nextTick();
    vi.advanceTimersByTime(MAX_WAIT_MS - 1);
    endOne();
    await blocking[0];
    await nextTick();
    expect(begun).toEqual(["1/a", "2/b"]);
    vi.advanceTimersByTime(1);
    await rejection;
    await endAll();
    await Promise.all(blocking);
  });

  it("never rejects a call of the background job", async () => {
    fakeTimers();
    const { begun, ask, endAll } = slowIncidents();
    const asked = [ask("1", "a", "a")];
    await nextTick();
    asked.push(ask("1", "b"));
    await nextTick();
    vi.advanceTimersByTime(10 * MAX_WAIT_MS);
    await endAll();
    await Promise.all(asked);
    expect(begun).toEqual(["1/a", "1/b"]);
  });
});

it("EvaluationSlots removes an aborted call from the queue", async () => {
  const { begun, ask, endAll } = slowIncidents();
  const controller = new AbortController();
  const calls = [ask("1", "a", "a"), ask("1", "c", "b")];
  const [ofCall, ofApp] = [ask("1", "b", "a", controller), ask("2", "b", "c", controller)];
  await nextTick();
  controller.abort(new Error("gone"));
  await expect(ofCall).rejects.toThrow("gone");
  await expect(ofApp).rejects.toThrow("gone");
  await endAll();
  await Promise.all(calls);
  expect(begun).toEqual(["1/a", "1/c"]);
});
