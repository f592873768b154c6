import { expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { accepted } from "../support/data/delivery-data.js";
import { entriesOnceThey, importInto, ndjson, postEvents } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR } from "../support/servers/project.js";

const test = serving.extend("limited", { scope: "file" }, ({ openSharedServer }) =>
  openSharedServer({ ...BASE_CONFIG, messagingData: { import: { maxLabels: 3, maxApps: 2 } } }),
);
const on = (appId: string, label: string) => accepted(appId, "2026-01-02T12:00:00Z", label);

test("an import with more labels and apps than the configuration allows is rejected as a whole", async ({
  limited,
}) => {
  const token = await limited.token(EDITOR);
  const post = (events: readonly object[]) => postEvents(limited, token, ndjson(events));
  expect((await post([on("app", "a"), on("app", ""), on("app", "b")])).status).toBe(200);
  const { status, text } = await post([
    on("app", "b"),
    on("app", "c"),
    on("app", "d"),
    on("x", "d"),
    on("y", "e"),
  ]);
  expect([status, errorOf(text)]).toMatchObject([
    400,
    {
      status: "INVALID_ARGUMENT",
      reason: "INVALID_MESSAGE_EVENTS",
      fields: [
        "lines[3].analyticsLabel",
        "lines[4].analyticsLabel",
        "lines[5].appId",
        "lines[5].analyticsLabel",
      ],
      metadata: { invalidLineCount: "3", lineCount: "5" },
    },
  ]);
  expect((await post([on("app", "c"), on("app", "a")])).status).toBe(200);
  const entries = await entriesOnceThey(limited, token, "app", ({ length }) => length === 4);
  expect(entries.map(({ analyticsLabel = "" }) => analyticsLabel)).toEqual(["", "a", "b", "c"]);
});

test("an import that skips invalid lines stores only lines within the project's limits on names", async ({
  openServer,
}) => {
  const server = await openServer({
    ...BASE_CONFIG,
    messagingData: { import: { maxLabels: 2, maxApps: 1 } },
  });
  const token = await server.token(EDITOR);
  const messageId = "m";
  const events = [
    on("app", "a"),
    { ...on("app", "b"), messageId },
    on("app", "c"),
    { ...on("app", "c"), messageId: "n" },
    { ...on("app", ""), messageId: "n", eventType: "DELIVERED" },
    { ...on("x", ""), eventType: "DELIVERED" },
    on("app", "b"),
  ];
  const { status, text } = await send(server.messagingDataUrl, `${importInto()}?skipInvalid=true`, {
    method: "POST",
    token,
    headers: { "content-type": "application/x-ndjson" },
    body: Buffer.from(ndjson(events)),
  });
  const description = expect.stringContaining("usual cause") as string;
  expect([status, JSON.parse(text)]).toEqual([
    200,
    {
      importedCount: "4",
      invalidCount: "3",
      invalidLines: [
        { line: 3, field: "analyticsLabel", description },
        { line: 4, field: "analyticsLabel", description },
        { line: 6, field: "appId", description },
      ],
    },
  ]);
  const entries = await entriesOnceThey(server, token, "app", ({ length }) => length === 2);
  expect(entries.map(({ analyticsLabel, data }) => [analyticsLabel, data?.countMessagesAccepted])).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
  const { text: rejected } = await postEvents(server, token, ndjson([on("app", "c")]));
  expect(errorOf(rejected)).toMatchObject({ fields: ["lines[1].analyticsLabel"] });
});
