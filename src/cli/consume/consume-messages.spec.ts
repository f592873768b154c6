import { type ImportEventsOptions, WaybillError } from "@waybill/client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Broker, BrokerError } from "./broker.js";
import { consumeMessages } from "./consume-messages.js";
import { delivery, type TestDelivery } from "./testing/delivery.js";

const DONE = {
  importedCount: 1,
  optedOutCount: 0,
  tooLateCount: 0,
  invalidCount: 0,
  invalidLines: [],
  bytes: 0,
};
const down = (retryAfterMs?: number) =>
  new WaybillError({ code: "UNAVAILABLE", message: "The server is down.", retryAfterMs });

let stopping: AbortController;
/** Everything that happened, in order. */
let events: string[];
/** Results of the next imports; further imports succeed. The first one checks the target. */
let imports: (WaybillError | undefined)[];
/** Pauses before retries, in milliseconds. */
let pauses: number[];
/** Messages of the next batches; the command is stopped after them. */
let batches: (readonly TestDelivery[] | BrokerError)[];

beforeEach(() => {
  vi.useFakeTimers();
  stopping = new AbortController();
  events = [];
  imports = [];
  pauses = [];
  batches = [];
  return () => {
    vi.useRealTimers();
  };
});

const broker: Broker = {
  receive: async () => {
    const batch = batches.shift();
    events.push("receive");
    if (batch instanceof BrokerError) throw batch;
    if (batch === undefined) stopping.abort();
    return batch ?? [];
  },
  disconnect: async () => {
    events.push("disconnect");
  },
};

/** @param onRetry called before each pause; by default, the time passes at once. */
const consume = (
  onRetry: (pauseMs: number) => void = (pauseMs) => vi.advanceTimersByTimeAsync(pauseMs),
): Promise<void> =>
  consumeMessages({
    broker,
    target: {
      project: "project",
      batchBytes: undefined,
      client: {
        importEvents: async (_options: ImportEventsOptions) => {
          const error = imports.shift();
          events.push("import");
          if (error !== undefined) throw error;
          return DONE;
        },
      },
    },
    limits: { messages: 10, waitMs: 1_000 },
    log: {
      imported: (messages) => events.push(`imported ${messages}`),
      retrying: (problem, waitMs) => {
        events.push(`retrying: ${problem}`);
        pauses.push(waitMs);
        onRetry(waitMs);
      },
      note: () => {},
      end: () => events.push("end"),
    },
    signal: stopping.signal,
  });

describe("consumeMessages", () => {
  it("receives nothing until the server accepts imports, and holds a batch until it is imported", async () => {
    const message = delivery("{}");
    imports = [down(), undefined, down(5_000), down()];
    batches = [[message]];
    await consume();
    expect(events).toEqual([
      ...["import", "retrying: The server is down.", "import", "receive"],
      ...["import", "retrying: The server is down.", "import", "retrying: The server is down.", "import"],
      ...["imported 1", "receive", "disconnect", "end"],
    ]);
    expect(message.settled).toBe("acknowledged");
    expect(pauses.map((pauseMs) => pauseMs > 5_000)).toEqual([false, true, false]);
  });

  it("reconnects after failures of the broker", async () => {
    batches = [new BrokerError("the connection was lost"), [delivery("{}")]];
    await consume();
    expect(events).toEqual([
      ...["import", "receive", "disconnect", "retrying: the connection was lost"],
      ...["receive", "import", "imported 1", "receive", "disconnect", "end"],
    ]);
  });

  it("reconnects without acknowledging an invalid message if it cannot be dead-lettered", async () => {
    const valid = delivery("{}");
    const invalid: TestDelivery = {
      ...delivery(""),
      deadLetter: async () => {
        throw new BrokerError("no stream stores the subject");
      },
    };
    batches = [[valid, invalid]];
    await consume();
    expect(events).toEqual([
      ...["import", "receive", "import", "disconnect", "retrying: no stream stores the subject"],
      ...["receive", "disconnect", "end"],
    ]);
    expect([valid.settled, invalid.settled]).toEqual(["acknowledged", undefined]);
  });

  it("ends without acknowledging the batch if it is stopped while the server is down", async () => {
    const message = delivery("{}");
    imports = [undefined, down()];
    batches = [[message]];
    await consume(() => stopping.abort());
    expect(message.settled).toBeUndefined();
  });

  it("reconnects and ends even if the broker does not respond", async () => {
    batches = [new BrokerError("the connection was lost"), [delivery("{}")]];
    const disconnecting = vi.spyOn(broker, "disconnect").mockReturnValue(new Promise(() => {}));
    const done = consume();
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect(events.slice(-3)).toEqual(["imported 1", "receive", "end"]);
    disconnecting.mockRestore();
  });
});
