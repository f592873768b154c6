import { Readable } from "node:stream";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, test, vi } from "vitest";
import type { ApiError } from "../../api/api-error.js";
import { principalId } from "../../api/caller.js";
import { requestAborted } from "../../api/errors.js";
import { callContext } from "../../api/testing/call-context.js";
import { projectCaller } from "../../api/testing/project-caller.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import {
  ImportMessageEventsRequestSchema,
  type ImportMessageEventsResponse,
} from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { Budget } from "../../limits/budget.js";
import { bytesIn } from "../../limits/byte-buffers.js";
import { FairSlots } from "../../limits/fair-slots.js";
import { WaitAllowance, WaitTimeoutError } from "../../limits/limit-wait.js";
import { MAX_VIOLATIONS, MAX_WAIT_MS } from "../../limits/request-limits.js";
import { systemClock } from "../../model/clock.js";
import { TooManyNamesError } from "../../model/store-error.js";
import type { MessageEventStore } from "../../store/message-event-store.js";
import { eventsOf, namesOf, type StateBlock } from "../../store/state-block.js";
import { importHandler } from "./import-handler.js";
import { ImportShares } from "./import-shares.js";
import type { MinRate, SegmentParser } from "./parse-events.js";
import { parseSegment } from "./parse-segment.js";

const LINE =
  '{"appId":"app","messageId":"m","eventTime":"2026-03-05T12:00:00Z","eventType":"ACCEPTED","usageReportingOptIn":true}\n';
const REQUEST = create(ImportMessageEventsRequestSchema, {
  parent: "projects/demo-project",
  events: { contentType: "application/x-ndjson" },
});

/** A store with an append that waits until it is released or its signal aborts. */
class WaitingStore implements Pick<MessageEventStore, "append"> {
  readonly appended: number[] = [];
  /** Events in the last append. */
  blocks: readonly StateBlock[] = [];
  waiting = false;
  #free: () => void = () => {};

  append: MessageEventStore["append"] = (_, events, signal) =>
    new Promise((resolve, reject) => {
      this.waiting = true;
      this.blocks = events;
      this.#free = () => {
        this.appended.push(...events.map(({ length }) => length));
        resolve({ tooLate: 0 });
      };
      signal?.addEventListener("abort", () => reject(signal.reason));
    });

  free(): void {
    this.#free();
  }
}

/** Number of a project without events. */
const MIRRORED = "404";
const ADA = { name: "ada@example.com", issuer: "a" };

function setUp(maxConcurrent = 1, minRate?: MinRate) {
  const store = new WaitingStore();
  const segments: number[] = [];
  const parser: SegmentParser = {
    maxLineBytes: 8192,
    capacity: 2,
    parse: async (_project, segment, days) => {
      segments.push(bytesIn(segment));
      return parseSegment(segment, 8192, days);
    },
  };
  const limits = {
    maxRequestBytes: 64 * 1024 * 1024,
    maxConcurrent,
    maxDays: 2,
    maxApps: 10,
    maxLabels: 10,
    days: { from: 0, ahead: 2 },
  };
  const onQuiet = vi.fn();
  const shares = new ImportShares(maxConcurrent, limits.maxRequestBytes, onQuiet);
  const imports = importHandler({
    clock: systemClock,
    isMirrored: (project) => project === MIRRORED,
    store: store as unknown as MessageEventStore,
    parser,
    limits,
    shares,
    ...(minRate && { minRate }),
    onImported: () => {},
  });
  const callAs = (number: string, { name, issuer }: typeof ADA, body: Readable) => {
    const principal = { name, issuer, id: principalId(issuer, name) };
    const caller = { ...projectCaller({ number }), principal, budgetKey: principal.id };
    return imports(REQUEST, callContext(caller, { body }));
  };
  const call = (body: Readable, signal = new AbortController().signal, request = REQUEST) =>
    imports(request, callContext(projectCaller(), { body, signal }));
  /** Expects that the only slot is free. */
  const expectPlace = async () => {
    const next = call(Readable.from([Buffer.from(LINE)]));
    await until(() => store.waiting);
    store.free();
    expect(await next).toMatchObject({ importedCount: 1n });
  };
  return { store, parser, segments, shares, onQuiet, call, callAs, expectPlace };
}

/** Yields to other work until a condition holds. */
async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 10_000) throw new Error("it did not happen");
    await new Promise(setImmediate);
  }
}

const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

it("an import of events into a mirrored project is rejected", async () => {
  const { store, callAs } = setUp();
  expect(await outcomeOf(callAs(MIRRORED, ADA, Readable.from([Buffer.from(LINE)])))).toMatchObject({
    code: Code.FAILED_PRECONDITION,
    reason: "PROJECT_IS_MIRRORED",
  });
  expect(store.appended).toEqual([]);
});

it("an import frees its columns once they are stored", async () => {
  const { store, call } = setUp();
  const importing = call(Readable.from([Buffer.from(LINE)]));
  await until(() => store.waiting);
  const [block] = store.blocks;
  expect(block?.day).toHaveLength(1);
  store.free();
  await importing;
  expect(block?.day).toHaveLength(0);
});

describe("an import with names that exceed the project's limits", () => {
  const excess = { apps: ["app-3"], labels: ["x", "y"] };
  const event = (over: object) =>
    `${JSON.stringify({ ...(JSON.parse(LINE) as object), ...over })}\n`.replace('":', '": ');
  /** Two segments: line numbers continue, and blank lines and omitted events count too. */
  const lines = [
    event({ analyticsLabel: "x", usageReportingOptIn: false }),
    "\n",
    event({ analyticsLabel: "a" }),
    event({ appId: "app-2", analyticsLabel: "y" }),
    event({ analyticsLabel: "a" }).repeat(5_000),
    event({ appId: "app-3", analyticsLabel: "x" }),
    event({ appId: "app-3", analyticsLabel: "y" }),
    event({ analyticsLabel: "x" }),
  ];

  it("is rejected with a violation for each such line, and the likely cause", async () => {
    const { call, store, segments } = setUp();
    store.append = () => Promise.reject(new TooManyNamesError(excess));
    const half = Buffer.from(lines.join(""));
    const body = Readable.from([half.subarray(0, 530_000), half.subarray(530_000)]);
    const error = (await outcomeOf(call(body))) as ApiError;
    expect(segments).toHaveLength(2);
    expect(error).toMatchObject({
      reason: "INVALID_MESSAGE_EVENTS",
      metadata: { invalidLineCount: "4", lineCount: "5007" },
    });
    expect(error.violations?.map(({ field }) => field)).toEqual([
      "lines[4].analyticsLabel",
      "lines[5005].appId",
      "lines[5005].analyticsLabel",
      "lines[5006].appId",
      "lines[5006].analyticsLabel",
      "lines[5007].analyticsLabel",
    ]);
    expect(error.violations?.map(({ description }) => description).join()).toMatch(
      /at most 10 distinct labels.*a label that contains a message id.*at most 10 apps/,
    );
  });

  it("lists no more violations than any other import", async () => {
    const { call, store } = setUp();
    const labels = Array.from({ length: 250 }, (_, i) => `label-${i}`);
    store.append = () => Promise.reject(new TooManyNamesError({ apps: [], labels }));
    const body = Readable.from([
      Buffer.from(labels.map((analyticsLabel) => event({ analyticsLabel })).join("")),
    ]);
    const error = (await outcomeOf(call(body))) as ApiError;
    expect(error.violations).toHaveLength(MAX_VIOLATIONS);
    expect(error.metadata).toMatchObject({ invalidLineCount: "250" });
  });

  describe("that skips invalid lines", () => {
    /** Sends lines to a project with limits on names. @returns the response and the stored names. */
    const skipping = async (body: string, roomAt: (attempt: number) => { apps: number; labels: number }) => {
      const { call, store } = setUp();
      const stored: StateBlock[] = [];
      let attempts = 0;
      store.append = async (_, blocks) => {
        const names = namesOf(blocks);
        const room = roomAt(++attempts);
        const left = { apps: names.apps.slice(room.apps), labels: names.labels.slice(room.labels) };
        if (left.apps.length + left.labels.length > 0) throw new TooManyNamesError(left);
        stored.push(...blocks);
        return { tooLate: 0 };
      };
      const request = create(ImportMessageEventsRequestSchema, { ...REQUEST, skipInvalid: true });
      const response = await outcomeOf(call(Readable.from([Buffer.from(body)]), undefined, request));
      return { response, stored: namesOf(stored), events: eventsOf(stored), attempts };
    };
    const delivered = { eventType: "DELIVERED", usageReportingOptIn: undefined };

    it("skips exactly the lines that have such names", async () => {
      const body = [
        event({ messageId: "1", analyticsLabel: "a" }),
        event({ messageId: "2", analyticsLabel: "b" }),
        event({ messageId: "2", ...delivered, analyticsLabel: "b" }),
        event({ messageId: "2", analyticsLabel: "b" }),
        "{\n",
        event({ appId: "other", analyticsLabel: "c" }),
        event({ appId: "other", ...delivered }).repeat(2),
        event({ messageId: "2" }),
      ];
      const { response, stored, events } = await skipping(body.join(""), () => ({ apps: 1, labels: 1 }));
      expect(response).toMatchObject({
        importedCount: 3n,
        invalidCount: 6n,
        invalidLines: [
          { line: 2, field: "analyticsLabel" },
          { line: 4, field: "analyticsLabel" },
          { line: 5, field: "" },
          { line: 6, field: "appId" },
          { line: 7, field: "appId" },
          { line: 8, field: "appId" },
        ],
      });
      expect([stored, events]).toEqual([{ apps: ["app"], labels: ["a"] }, 3]);
    });

    it("stores labels that fit after lines with excess apps were skipped", async () => {
      const body =
        event({ appId: "app" }) +
        event({ appId: "other", analyticsLabel: "a" }) +
        event({ analyticsLabel: "b" });
      const { response, stored } = await skipping(body, () => ({ apps: 1, labels: 1 }));
      expect(response).toMatchObject({ importedCount: 2n, invalidCount: 1n, invalidLines: [{ line: 2 }] });
      expect(stored).toEqual({ apps: ["app"], labels: ["b"] });
    });

    it("lists the first 100 of all violations", async () => {
      const labels = Array.from({ length: 150 }, (_, i) => event({ analyticsLabel: `label-${i}` }));
      const { response } = await skipping(labels.join("{\n"), () => ({ apps: 1, labels: 10 }));
      const { invalidCount, invalidLines } = response as ImportMessageEventsResponse;
      expect([invalidCount, invalidLines]).toEqual([289n, expect.objectContaining({ length: 100 })]);
      expect(invalidLines.map(({ line }) => line)).toEqual([
        ...Array.from({ length: 10 }, (_, i) => 2 * i + 2),
        ...Array.from({ length: 90 }, (_, i) => i + 21),
      ]);
    });

    it("skips all lines if no name fits", async () => {
      const { response, events } = await skipping(event({ analyticsLabel: "a" }), () => ({
        apps: 0,
        labels: 0,
      }));
      expect(response).toMatchObject({ importedCount: 0n, invalidCount: 1n });
      expect(events).toBe(0);
    });

    it("stores the lines that fit even after concurrent imports have added names", async () => {
      const body = ["a", "b", "c", "d"].map((analyticsLabel) => event({ analyticsLabel })).join("");
      const { response, stored } = await skipping(body, (attempt) => ({
        apps: 1,
        labels: 4 - Math.min(attempt, 3),
      }));
      expect(response).toMatchObject({ importedCount: 1n, invalidCount: 3n });
      expect(stored.labels).toEqual(["a"]);
    });

    it("fails with an error that can be retried if concurrent imports keep adding names", async () => {
      const labels = Array.from({ length: 50 }, (_, i) => event({ analyticsLabel: `label-${i}` }));
      const { response, attempts } = await skipping(labels.join(""), (attempt) => ({
        apps: 1,
        labels: 50 - attempt,
      }));
      expect(response).toMatchObject({
        code: Code.UNAVAILABLE,
        reason: "CONCURRENT_NEW_NAMES",
        metadata: { attempts: "10" },
        headers: { "retry-after": "1" },
      });
      expect(attempts).toBe(10);
    });
  });
});

describe("an aborted import", () => {
  it("ends before its body does, and releases its slot", async () => {
    const { store, call, expectPlace } = setUp();
    const controller = new AbortController();
    const body = new Readable({ read: () => {} });
    body.push(LINE);
    const outcome = outcomeOf(call(body, controller.signal));
    const reason = requestAborted();
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(store.waiting).toBe(false);
    await expectPlace();
    expect(store.appended).toEqual([1]);
  });

  it("stops parsing", async () => {
    const { segments, call } = setUp();
    const controller = new AbortController();
    const lines = Buffer.from(LINE.repeat(10_000));
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        if (read === 3) controller.abort(requestAborted());
        yield lines;
        await new Promise(setImmediate);
      }
    }
    const body = Readable.from(endless());
    expect(await outcomeOf(call(body, controller.signal))).toMatchObject({ code: Code.CANCELLED });
    await until(() => body.destroyed);
    expect(segments.length).toBeLessThan(4);
  });

  it("fails with the abort reason while its events wait to be stored", async () => {
    const { store, call, expectPlace } = setUp();
    const controller = new AbortController();
    const outcome = outcomeOf(call(Readable.from([Buffer.from(LINE)]), controller.signal));
    await until(() => store.waiting);
    const reason = requestAborted();
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    store.waiting = false;
    await expectPlace();
  });

  it("leaves its columns to the store, which may still be reading them", async () => {
    const { store, call } = setUp();
    const controller = new AbortController();
    const outcome = outcomeOf(call(Readable.from([Buffer.from(LINE)]), controller.signal));
    await until(() => store.waiting);
    controller.abort(requestAborted());
    await outcome;
    expect(store.blocks[0]?.day).toHaveLength(1);
  });
});

const FULL = { name: "ApiError", code: Code.UNAVAILABLE, reason: "IMPORT_QUEUE_FULL" };
const BEA = { name: "bea@example.com", issuer: "a" };

/** Returns a body that stalls after some bytes. */
function stalled(bytes: string): Readable {
  const body = new Readable({ read: () => {} });
  body.push(bytes);
  return body;
}

/** Returns the current outcomes, with `waits` for pending work. */
async function outcomesNow(work: readonly Promise<unknown>[]): Promise<unknown[]> {
  await new Promise(setImmediate);
  return Promise.all(work.map((outcome) => Promise.race([outcome, "waits"])));
}

describe("concurrent imports", () => {
  const whole = () => Readable.from([Buffer.from(LINE)]);

  it("make their project busy until the last of them ends", async () => {
    const { store, shares, call } = setUp(4);
    const slow = outcomeOf(call(stalled(LINE.slice(0, 20))));
    expect(await outcomesNow([slow])).toEqual(["waits"]);
    const { number } = projectCaller().project;
    expect(shares.isImporting(number)).toBe(false);
    const first = call(whole());
    await until(() => store.waiting);
    expect(shares.isImporting(number)).toBe(true);
    expect(shares.isImporting("another")).toBe(false);
    store.free();
    await first;
    expect(shares.isImporting(number)).toBe(false);
  });

  it("keep their project busy for half a second longer if they are large", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { store, shares, onQuiet, call } = setUp(4);
    const { number } = projectCaller().project;
    const large = LINE.repeat(Math.ceil((5 * 1024 * 1024) / LINE.length));
    const imported = call(Readable.from([Buffer.from(large)]));
    await until(() => store.waiting);
    store.free();
    await imported;
    vi.advanceTimersByTime(499);
    expect(shares.isImporting(number)).toBe(true);
    expect(shares.isImporting("another")).toBe(false);
    expect(onQuiet).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(shares.isImporting(number)).toBe(false);
    expect(onQuiet).toHaveBeenCalledOnce();
  });

  it.each<[string, (parts: ReturnType<typeof setUp>, fail: () => Promise<never>) => void]>([
    ["to be parsed", ({ parser }, fail) => Object.assign(parser, { parse: fail })],
    ["to be stored", ({ store }, fail) => Object.assign(store, { append: fail })],
  ])("are rejected if they wait too long %s", async (_, failWith) => {
    const parts = setUp(1);
    failWith(parts, () => Promise.reject(new WaitTimeoutError("no slot")));
    expect(await outcomeOf(parts.call(whole()))).toMatchObject({ ...FULL, headers: { "retry-after": "1" } });
  });

  it("have one time limit for waiting to be parsed and waiting to be stored", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { parser, store, call } = setUp(1);
    const slot = new Budget({ total: 1 });
    const slots = new FairSlots((caller) => slot.take(caller), { total: 2, each: 2 });
    const { parse } = parser;
    const parseInSlot: SegmentParser["parse"] = async (project, segment, days, signal) => {
      (await slots.take("parser", signal))();
      return parse(project, segment, days, signal);
    };
    Object.assign(parser, { parse: parseInSlot });
    const append: MessageEventStore["append"] = async (_project, _events, signal) => {
      await slots.take("store", signal);
      return { tooLate: 0 };
    };
    Object.assign(store, { append });
    const signal = new WaitAllowance().cover(new AbortController().signal);
    const outcome = outcomeOf(call(whole(), signal));
    const release = await slots.take("another");
    await until(() => slots.waiting === 1);
    vi.advanceTimersByTime(5_000);
    const waitsAgain = slots.take("another");
    release();
    await waitsAgain;
    await until(() => slots.waiting === 1);
    vi.advanceTimersByTime(MAX_WAIT_MS - 5_000);
    expect(await outcome).toMatchObject(FULL);
  });

  it("use a slot only once they have lines to parse", async () => {
    const { callAs, expectPlace } = setUp(1);
    const slow = Array.from({ length: 50 }, () => outcomeOf(callAs("1", ADA, stalled(LINE.slice(0, 20)))));
    await expectPlace();
    expect(new Set(await outcomesNow(slow))).toEqual(new Set(["waits"]));
  });

  test.each<[string, (n: number) => [project: string, principal: typeof ADA]]>([
    ["a project", (n) => ["1", { name: `p${n}`, issuer: "a" }]],
    ["a principal", (n) => [`${n}`, ADA]],
  ])("from %s leave slots for others", async (_, whoOf) => {
    const { callAs, store } = setUp(4);
    const waiting: Promise<unknown>[] = [];
    for (let n = 0; n < 2; n++) waiting.push(outcomeOf(callAs(...whoOf(n), whole())));
    expect(await outcomeOf(callAs(...whoOf(2), whole()))).toMatchObject(FULL);
    const other = outcomeOf(callAs("other", BEA, whole()));
    await until(() => store.waiting);
    expect(await outcomesNow([other, ...waiting])).toEqual(["waits", "waits", "waits"]);
  });

  it("distinguish two principals with equal names from different issuers", async () => {
    const { callAs } = setUp(2);
    const first = outcomeOf(callAs("1", { name: "x", issuer: "a" }, whole()));
    const second = outcomeOf(callAs("2", { name: "x", issuer: "b" }, whole()));
    expect(await outcomeOf(callAs("3", { name: "y", issuer: "a" }, whole()))).toMatchObject(FULL);
    expect(await outcomesNow([first, second])).toEqual(["waits", "waits"]);
  });

  it("into one project leave memory for others, even before any of them has a slot", async () => {
    const { callAs, store } = setUp(4);
    const open = Array.from({ length: 300 }, () => outcomeOf(callAs("1", ADA, stalled("{"))));
    const rejected = (await outcomesNow(open)).filter((outcome) => outcome !== "waits");
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThan(300);
    for (const outcome of rejected) expect(outcome).toMatchObject(FULL);
    const other = callAs("2", BEA, whole());
    await until(() => store.waiting);
    store.free();
    expect(await other).toMatchObject({ importedCount: 1n });
  });

  it("of one caller into many projects leave memory for other callers", async () => {
    const { callAs, store } = setUp(4);
    const open = Array.from({ length: 300 }, (_, n) => outcomeOf(callAs(String(n % 20), ADA, stalled("{"))));
    const rejected = (await outcomesNow(open)).filter((outcome) => outcome !== "waits");
    expect(rejected.length).toBeGreaterThan(150);
    for (const outcome of rejected) expect(outcome).toMatchObject(FULL);
    const other = callAs("other", BEA, whole());
    await until(() => store.waiting);
    store.free();
    expect(await other).toMatchObject({ importedCount: 1n });
  });

  it("into one project are rejected if together they need too much memory", async () => {
    const { callAs } = setUp(16);
    const lines = Buffer.from(LINE.repeat(8_000));
    /** Returns an endless body with almost the maximum number of bytes. */
    const large = () => {
      let left = Math.floor((63 * 1024 * 1024) / lines.length);
      return new Readable({
        read() {
          if (left-- > 0) this.push(lines);
        },
      });
    };
    const imports = Array.from({ length: 4 }, () => outcomeOf(callAs("1", ADA, large())));
    expect(await Promise.race(imports)).toMatchObject(FULL);
  });
});

describe("a slow import body", () => {
  const RATE = { bytes: 1_000, milliseconds: 1_000 };
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());
  const timeout = {
    name: "ApiError",
    code: Code.DEADLINE_EXCEEDED,
    httpStatus: 408,
    reason: "REQUEST_TIMEOUT",
  };

  /**
   * Sends a body at some bytes per 100 ms, for up to twenty seconds.
   *
   * @returns the import's outcome; `undefined` if it is still running.
   */
  async function outcomeAfter(bytesATick: number, first = 0): Promise<unknown> {
    const { call } = setUp(1, RATE);
    const body = stalled(" ".repeat(first));
    let outcome: unknown;
    void outcomeOf(call(body)).then((result) => {
      outcome = result;
    });
    for (let tick = 0; tick < 200 && outcome === undefined; tick++) {
      await vi.advanceTimersByTimeAsync(100);
      if (!body.destroyed && bytesATick > 0) body.push(" ".repeat(bytesATick));
      await new Promise(setImmediate);
    }
    return outcome;
  }

  it.each([
    ["nothing at all", 0, 0],
    ["a byte now and then", 1, 0],
    ["almost enough", 90, 0],
    ["much at first, then nothing", 0, 100_000],
  ])("is rejected if it arrives too slowly: %s", async (_, bytesATick, first) => {
    expect(await outcomeAfter(bytesATick, first)).toMatchObject(timeout);
  });

  it("is accepted if it arrives just fast enough", async () => {
    expect(await outcomeAfter(120)).toBeUndefined();
  });

  it("is not rejected while the server itself is busy", async () => {
    const { store, call } = setUp(1, RATE);
    const outcome = call(Readable.from([Buffer.from(LINE)]));
    await until(() => store.waiting);
    await vi.advanceTimersByTimeAsync(60_000);
    store.free();
    expect(await outcome).toMatchObject({ importedCount: 1n });
  });
});
