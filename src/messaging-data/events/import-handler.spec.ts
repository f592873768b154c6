import { Readable } from "node:stream";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { ImportMessageEventsRequestSchema } from "../../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import type { MessageEventStore } from "../../store/message-event-store.js";
import { requestAborted } from "../../transcoding/http-errors.js";
import { callContext } from "../../transcoding/testing/call-context.js";
import { EventParser } from "./event-parser.js";
import { importHandler } from "./import-handler.js";
import type { SegmentParser } from "./parse-events.js";

const LINE =
  '{"appId":"app","messageId":"m","eventTime":"2026-03-05T12:00:00Z","eventType":"ACCEPTED","usageReportingOptIn":true}\n';
const REQUEST = create(ImportMessageEventsRequestSchema, {
  parent: "projects/demo-project",
  events: { contentType: "application/x-ndjson" },
});

/** A store that keeps an append waiting until its signal aborts, if it has one that does. */
class WaitingStore implements Pick<MessageEventStore, "append"> {
  readonly appended: number[] = [];
  waiting = false;
  #free: () => void = () => {};

  append: MessageEventStore["append"] = (_, events, signal) =>
    new Promise((resolve, reject) => {
      this.waiting = true;
      this.#free = () => {
        this.appended.push(...events.map(({ length }) => length));
        resolve();
      };
      signal?.addEventListener("abort", () => reject(signal.reason));
    });

  free(): void {
    this.#free();
  }
}

function setUp() {
  const store = new WaitingStore();
  const segments: number[] = [];
  const parser: SegmentParser = {
    maxLineBytes: 8192,
    capacity: 2,
    parse: async (segment, days) => {
      segments.push(segment.length);
      const parser = new EventParser(8192, days);
      parser.push(segment);
      return parser.finish();
    },
  };
  const imports = importHandler({
    store: store as unknown as MessageEventStore,
    parser,
    limits: { maxRequestBytes: 64 * 1024 * 1024, maxConcurrent: 1, maxDays: 2, days: { from: 0, ahead: 2 } },
    onImported: () => {},
  });
  const call = (body: Readable, signal = new AbortController().signal) =>
    imports(REQUEST, callContext({ project: { number: "1" } }, { body, signal }));
  /** That the place of the one import at a time is free. */
  const expectPlace = async () => {
    const next = call(Readable.from([Buffer.from(LINE)]));
    await until(() => store.waiting);
    store.free();
    expect(await next).toMatchObject({ importedCount: 1n });
  };
  return { store, segments, call, expectPlace };
}

/** Lets others have their turn until something is so. */
async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 10_000) throw new Error("it did not happen");
    await new Promise(setImmediate);
  }
}

const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("an import that is given up", () => {
  it("ends while its body has not, and gives its place back", async () => {
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

  it("is not parsed to its end", async () => {
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

  test.each([
    ["an error that a caller may see", requestAborted(), { reason: "REQUEST_ABORTED" }],
    ["a passed deadline", new DOMException("late", "TimeoutError"), { code: Code.DEADLINE_EXCEEDED }],
    ["anything else", new Error("gone"), { code: Code.CANCELLED, reason: "REQUEST_ABORTED" }],
  ])("while its events wait to be stored ends with %s", async (_, reason, expected) => {
    const { store, call, expectPlace } = setUp();
    const controller = new AbortController();
    const outcome = outcomeOf(call(Readable.from([Buffer.from(LINE)]), controller.signal));
    await until(() => store.waiting);
    controller.abort(reason);
    expect(await outcome).toMatchObject({ name: "ApiError", ...expected });
    store.waiting = false;
    await expectPlace();
  });
});
