import { expect } from "vitest";
import { freePort } from "../cluster/free-port.js";
import { accepted } from "../data/delivery-data.js";
import { countsByLabel, entriesOnceThey, ndjson } from "../data/import.js";
import { respond, startRecorder } from "../http/recorder.js";
import { poll } from "../poll.js";
import { test as serving } from "../servers/process-fixtures.js";
import { EDITOR } from "../servers/project.js";
import { type Consuming, startConsume } from "./consuming.js";
import type { TestBroker } from "./test-broker.js";

const NOON = "2025-06-02T12:00:00-07:00";
const messagesOf = (app: string, count: number): string[] =>
  Array.from({ length: count }, () => ndjson([accepted(app, NOON)]));

export const testOf = (start: (directory: string) => Promise<TestBroker>) =>
  serving
    .extend("broker", { scope: "file" }, async ({ sharedDirectory }, { onCleanup }) => {
      const broker = await start(sharedDirectory);
      onCleanup(broker.stop);
      return broker;
    })
    .extend(
      "consume",
      ({ onTestFinished, broker }) =>
        (url: string, token: string, flags: readonly string[] = []) => {
          const consuming = startConsume([...broker.flags, ...flags], url, token);
          onTestFinished(async () => {
            await consuming.stop("SIGKILL");
          });
          return consuming;
        },
    );

export function testConsume(name: string, test: ReturnType<typeof testOf>): void {
  const pendingOnce = (broker: TestBroker, accept: (pending: number) => boolean): Promise<number> =>
    poll(broker.pending, accept);

  test(`waybill consume ${name} imports events, and dead-letters messages with invalid events with the reason`, async ({
    broker,
    consume,
    editor,
    server,
  }) => {
    const several = messagesOf("several", 2).join("");
    const invalid = JSON.stringify({ ...accepted("several", NOON), eventType: "SEEN" });
    const second = `${messagesOf("several", 1)}${JSON.stringify({ ...accepted("several", NOON), messageId: "" })}`;
    await broker.publish([several, invalid, "\n", second, ...messagesOf("several", 3)]);
    const consuming = consume(server.messagingDataUrl, editor);
    const letters = await poll(broker.deadLetters, ({ length }) => length === 3);
    expect(letters.toSorted((a, b) => a.text.length - b.text.length)).toEqual([
      { text: "\n", reason: "has no event" },
      { text: invalid, reason: "eventType is not a type of event: SEEN" },
      { text: second, reason: expect.stringMatching(/^line 2: messageId /) },
    ]);
    const entries = await entriesOnceThey(
      server,
      editor,
      "several",
      (all) => countsByLabel(all).get("") === 6,
    );
    expect(entries).toHaveLength(1);
    expect(await consuming.stop("SIGTERM")).toBe(0);
    expect(await broker.pending()).toBe(0);
    // A slow process may receive some messages twice, so the counts may be higher.
    expect(JSON.parse(consuming.log().trim().split("\n").at(-1) ?? "")).toMatchObject({
      level: "info",
      msg: "messages consumed",
      messages: expect.any(Number),
      importedCount: expect.any(Number),
      invalidMessages: expect.any(Number),
    });
  });

  test(`waybill consume ${name} acknowledges nothing, receives no more messages and retries while the server is busy`, async ({
    broker,
    consume,
    onTestFinished,
  }) => {
    await broker.clear();
    const recorder = await startRecorder();
    onTestFinished(recorder.close);
    const messages = messagesOf("busy", 25);
    await broker.publish(messages);
    const consuming = consume(recorder.url, "token", ["--batch-messages", "10"]);
    respond((await recorder.next(0)).response, 200, {});
    const error = { code: 503, status: "UNAVAILABLE", message: "the disk is full" };
    const first = await recorder.next(1);
    expect(first.body.split(/\n+/).filter((line) => line !== "")).toHaveLength(10);
    respond(first.response, 503, { error }, { "retry-after": "1" });
    const retry = await recorder.next(2);
    expect(retry.body).toBe(first.body);
    await consuming.logged("the disk is full");
    await consuming.stop("SIGKILL");
    expect(await pendingOnce(broker, (pending) => pending === messages.length)).toBe(messages.length);
  });

  test(`waybill consume ${name} counts each event once after kill -9 of the consumer, the broker and the server`, async ({
    broker,
    consume,
    startServer,
  }) => {
    await broker.clear();
    const port = ["--messaging-data-port", String(await freePort())];
    let server = await startServer(undefined, port);
    const token = await server.token(EDITOR);
    const start = (): Consuming => consume(server.messagingDataUrl, token, ["--batch-messages", "5"]);
    /** Publishes messages, and returns as soon as the first ones are consumed. */
    const consumeSome = async (consuming: Consuming, connections: number): Promise<void> => {
      await poll(() => consuming.log().split("connected to").length > connections);
      const before = await broker.pending();
      await broker.publish(messagesOf("once", 200));
      await pendingOnce(broker, (pending) => pending < before + 200);
    };
    const killed = start();
    await consumeSome(killed, 1);
    await killed.stop("SIGKILL");
    const consuming = start();
    await consumeSome(consuming, 1);
    await broker.kill();
    await broker.start();
    await consumeSome(consuming, 2);
    await server.stop("SIGKILL");
    await broker.publish(messagesOf("once", 50));
    await consuming.logged("retrying");
    server = await startServer(undefined, port);
    const entries = await entriesOnceThey(server, token, "once", (all) => countsByLabel(all).get("") === 650);
    expect(countsByLabel(entries).get("")).toBe(650);
    await pendingOnce(broker, (pending) => pending === 0);
    expect(await consuming.stop("SIGTERM")).toBe(0);
    expect(await broker.pending()).toBe(0);
  });
}
