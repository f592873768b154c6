import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, test, vi } from "vitest";
import { poll } from "../../../test/support/poll.js";
import { testDirectory } from "../../../test/support/test-directory.js";
import { FILES_ENGINE } from "../../control/embedded/files-engine.js";
import { identifiedIncident } from "../../incidents/testing/app-incident.js";
import { type WebhookReceiver, webhookReceiver } from "../../incidents/webhooks/testing/webhook-receiver.js";
import { MAX_WEBHOOK_AT_STOP_MS } from "../../limits/data-limits.js";
import { systemClock } from "../../model/clock.js";
import type { Registry } from "../../registry/registry.js";
import { fileRegistry } from "../../registry/testing/file-registry.js";
import { configSchema } from "../config/config-schema.js";
import { ConfigError } from "../config/config-values.js";
import { FailureLog } from "../operators/failure-log.js";
import { loggerTo } from "../operators/logger.js";
import { Metrics } from "../operators/metrics.js";
import { openWebhooks } from "./webhooks.js";

const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);
const SECRET = `whsec_${Buffer.from(KEY).toString("base64")}`;

let directory: string;
let secretFile: string;
let receiver: WebhookReceiver;
let lines: Record<string, unknown>[];
let metrics: Metrics;
let registry: Registry;
beforeEach(async () => {
  directory = await testDirectory();
  secretFile = join(directory, "on-call.secret");
  receiver = await webhookReceiver(KEY);
  lines = [];
  metrics = new Metrics();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await receiver.close();
});

/** Opens webhooks for a server with one. */
async function open(webhook: object = {}) {
  const given = { name: "on-call", url: `${receiver.origin}/aBcD`, secretFile, ...webhook };
  const config = configSchema.parse({
    projects: [
      { id: "shop", number: "1" },
      { id: "news", number: "2" },
    ],
    messagingData: { incidents: { webhooks: [given] } },
  });
  const control = await FILES_ENGINE.open({ engine: "files" }, { directory, clock: systemClock });
  const logger = loggerTo({ write: (line) => void lines.push(JSON.parse(line)) }, "info", systemClock);
  const failures = new FailureLog(logger);
  registry = await fileRegistry(config);
  return openWebhooks({ config, registry, control, metrics, logger, failures, clock: systemClock });
}

test.each([
  [
    undefined,
    /^messagingData\.incidents\.webhooks\[0\]\.secretFile: cannot be used: .*on-call\.secret: there is no such file or directory$/,
  ],
  ["\n", /secretFile: cannot be used: .*on-call\.secret is empty$/],
  [
    `${SECRET}\ns3cret`,
    /secretFile: cannot be used: secret 2 must be whsec_ followed by the base64 of 24 to 64 bytes$/,
  ],
])("a server does not start with the webhook secrets %j", async (text, problem) => {
  if (text !== undefined) await writeFile(secretFile, text);
  const opening = open();
  await expect(opening).rejects.toBeInstanceOf(ConfigError);
  await expect(opening).rejects.toThrow(problem);
});

it("a webhook's first failure and its recovery are logged, and every attempt is counted", async () => {
  await writeFile(secretFile, `${SECRET}\n`);
  // Minimum pauses between attempts.
  vi.spyOn(Math, "random").mockReturnValue(0);
  let attempts = 0;
  receiver.onMessage = ({ respond }) => respond(++attempts < 3 ? 503 : 204);
  const [webhook] = await open({ projects: ["news"] });
  const incident = identifiedIncident({ label: "promo", startDay: 19_999 });
  await webhook?.evaluated("1", 20_000, [incident]);
  await webhook?.evaluated("2", 20_000, [incident]);
  webhook?.runner.start();
  await poll(() => lines.length >= 2);
  await webhook?.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
  const text = await metrics.registry.metrics();
  expect(text.match(/^waybill_webhook_.*$/gm)).toEqual([
    'waybill_webhook_messages_total{webhook="on-call",result="delivered"} 1',
    'waybill_webhook_messages_total{webhook="on-call",result="failed"} 2',
    'waybill_webhook_messages_total{webhook="on-call",result="given_up"} 0',
    expect.stringMatching(/^waybill_webhook_lag_seconds\{webhook="on-call"\} [\d.]+$/),
    'waybill_webhook_disabled{webhook="on-call"} 0',
  ]);
  const messageId = receiver.received[0]?.id;
  expect(lines).toMatchObject([
    { level: "warn", webhook: "on-call", messageId, problem: "HTTP status 503", failures: 1 },
    { level: "info", webhook: "on-call", failures: 2, msg: "webhook recovered" },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/aBcD|whsec_/);
});

it("a webhook that responds with 410 is reported", async () => {
  await writeFile(secretFile, `${SECRET}\n`);
  receiver.onMessage = ({ respond }) => respond(410);
  const [webhook] = await open();
  await webhook?.evaluated("2", 20_000, [identifiedIncident({ startDay: 19_999 })]);
  webhook?.runner.start();
  await poll(() => lines.length >= 2);
  expect(await metrics.registry.metrics()).toContain('\nwaybill_webhook_disabled{webhook="on-call"} 1\n');
  await webhook?.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
  const messageId = receiver.received[0]?.id;
  expect(lines).toMatchObject([
    { level: "warn", webhook: "on-call", messageId, problem: "HTTP status 410", failures: 1 },
    { level: "error", webhook: "on-call", messageId, msg: expect.stringContaining("is disabled") },
  ]);
});

it("a webhook is notified about projects that are added later, and not about removed projects", async () => {
  await writeFile(secretFile, `${SECRET}\n`);
  receiver.onMessage = ({ respond }) => respond(204);
  const [webhook] = await open();
  webhook?.runner.start();
  registry.setFile({ projects: [{ id: "sports", number: "3", apps: [] }], access: [] });
  for (const project of ["1", "3"]) await webhook?.evaluated(project, 19_998, []);
  for (const project of ["1", "3"]) {
    await webhook?.evaluated(project, 20_000, [identifiedIncident({ id: project, startDay: 19_999 })]);
  }
  await expect.poll(() => receiver.received.length).toBe(1);
  await webhook?.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
  expect(receiver.received[0]?.body.data.project).toMatchObject({ projectId: "sports" });
});
