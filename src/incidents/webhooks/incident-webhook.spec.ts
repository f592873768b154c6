import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { poll } from "../../../test/support/poll.js";
import { ProcessLeases } from "../../control/embedded/process-leases.js";
import { WebhookDelivery_Status as Status } from "../../gen/waybill/messagingdata/v1beta1/incident_pb.js";
import {
  TargetSchema,
  Target_State as TargetState,
} from "../../gen/waybill/messagingdata/v1beta1/target_pb.js";
import { WeeklyReportSchema } from "../../gen/waybill/messagingdata/v1beta1/weekly_report_pb.js";
import { loopbackServer } from "../../http/testing/loopback-server.js";
import { MAX_WEBHOOK_AT_STOP_MS } from "../../limits/data-limits.js";
import { type Clock, systemClock } from "../../model/clock.js";
import type { IdentifiedIncident } from "../list/app-incident.js";
import { identifiedIncident } from "../testing/app-incident.js";
import { MemoryRecords } from "../testing/memory-records.js";
import { IncidentWebhook, type WebhookObserver } from "./incident-webhook.js";
import { WEBHOOK_EVENTS, type WebhookEvent } from "./notified-incident.js";
import { fixedProjects } from "./testing/webhook-projects.js";
import { type WebhookReceiver, webhookReceiver } from "./testing/webhook-receiver.js";
import { readDeliveries } from "./webhook-deliveries.js";

const DAY_MS = 86_400_000;
const UNTIL = 20_000;
const KEY = Buffer.alloc(32, 7);
const PROJECTS = [
  { id: "shop", number: "500000000001" },
  { id: "news", number: "2" },
];

let receiver: WebhookReceiver;
let events: string[];
let records: MemoryRecords;
let leases: ProcessLeases;
let days: number;
let running: IncidentWebhook[];

beforeEach(async () => {
  [events, running] = [[], []];
  records = new MemoryRecords();
  leases = new ProcessLeases(systemClock);
  days = 0;
  receiver = await webhookReceiver(KEY);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await receiver.close();
  await Promise.all(running.map((webhook) => webhook.runner.stop(MAX_WEBHOOK_AT_STOP_MS)));
  expect(receiver.rejected).toEqual([]);
});

const clock: Clock = { ...systemClock, wall: () => Date.UTC(2026, 10, 22) + days * DAY_MS };

const observer: WebhookObserver = {
  delivered: (_, failures) => events.push(`delivered after ${failures}`),
  failed: (_, problem, failures) => events.push(`failed ${failures}: ${problem}`),
  disabled: () => events.push("disabled"),
  gaveUp: () => events.push("gave up"),
  broken: (error) => events.push(String(error)),
};

/** Starts a webhook, as each process does. */
async function start({
  name = "on-call",
  url = receiver.origin,
  projects = PROJECTS,
  events: selected = WEBHOOK_EVENTS as readonly WebhookEvent[],
} = {}) {
  const address = { url, keys: async () => [KEY] };
  const webhook = new IncidentWebhook({
    name,
    address,
    events: selected,
    projects: fixedProjects(projects),
    records,
    leases,
    clock,
    observer,
  });
  running.push(webhook);
  for (const { number } of PROJECTS) await webhook.evaluated(number, UNTIL - 1, []);
  webhook.runner.start();
  return webhook;
}

const incident = (appId: string, endDay?: number): IdentifiedIncident =>
  identifiedIncident({
    id: `id-of-${appId}`,
    appId,
    startDay: 19_990,
    ...(endDay !== undefined && { endDay }),
  });

const messages = (): string[] =>
  receiver.received.map(
    ({ body: { type, data } }) => `${data.incident?.appId} ${type} ${data.project?.projectId}`,
  );

/** Waits until this many messages were delivered in total. */
const untilDelivered = (count: number) =>
  poll(() => events.filter((event) => event.startsWith("delivered")).length >= count);

const evaluatedTarget = (state: TargetState, day: number) => ({
  target: create(TargetSchema, { name: "projects/2/targets/t", state, createTime: timestampFromMs(0) }),
  day,
});

describe("IncidentWebhook", () => {
  it("sends that a target is met again, even if it is met while the first message is being sent", async () => {
    const webhook = await start();
    receiver.onMessage = () => {};
    await webhook.evaluatedTargets("2", [evaluatedTarget(TargetState.MISSED, UNTIL)]);
    await poll(() => receiver.received.length === 1);
    await webhook.evaluatedTargets("2", [evaluatedTarget(TargetState.MET, UNTIL + 1)]);
    receiver.onMessage = ({ respond }) => respond(204);
    receiver.received[0]?.respond(204);
    await untilDelivered(2);
    expect(receiver.received.map(({ body }) => body.type)).toEqual(["target.missed", "target.met"]);
  });

  it("sends nothing about a target that is deleted while a message is being sent", async () => {
    const webhook = await start();
    receiver.onMessage = () => {};
    await webhook.evaluatedTargets("2", [evaluatedTarget(TargetState.MISSED, UNTIL)]);
    await poll(() => receiver.received.length === 1);
    await webhook.evaluatedTargets("2", []);
    receiver.onMessage = ({ respond }) => respond(204);
    receiver.received[0]?.respond(204);
    await untilDelivered(1);
    await webhook.evaluated("2", UNTIL, [incident("b")]);
    await untilDelivered(2);
    expect(receiver.received.map(({ body }) => body.type)).toEqual(["target.missed", "incident.started"]);
  });

  it("sends an incident and its end once each, also after restarts", async () => {
    const first = await start();
    expect(first.lag(clock.wall())).toBe(0);
    await first.evaluated("500000000001", UNTIL, [incident("a")]);
    await untilDelivered(1);
    await first.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
    const second = await start();
    await second.evaluated("500000000001", UNTIL, [incident("a")]);
    await second.evaluated("500000000001", UNTIL + 1, [incident("a", 19_995)]);
    await untilDelivered(2);
    await second.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
    const third = await start();
    await third.evaluated("500000000001", UNTIL + 1, [incident("a", 19_995)]);
    await third.evaluated("2", UNTIL + 1, [incident("b")]);
    await untilDelivered(3);
    expect(messages()).toEqual([
      "a incident.started shop",
      "a incident.ended shop",
      "b incident.started news",
    ]);
    const [started, ended, other] = receiver.received;
    expect([started, ended, other].map((message) => message?.body.data.id)).toEqual([
      "id-of-a",
      "id-of-a",
      "id-of-b",
    ]);
    expect(ended?.id).toBe(started?.id.replace(/-1$/, "-2"));
    expect(other?.id).toMatch(/-1$/);
  });

  it("sends the project and the incident in the API's format", async () => {
    const webhook = await start();
    await webhook.evaluated("500000000001", UNTIL, [incident("a", 19_995)]);
    await untilDelivered(1);
    expect(receiver.received[0]?.seconds).toBe(clock.wall() / 1000);
    expect(receiver.received[0]?.body).toEqual({
      type: "incident.ended",
      timestamp: "2026-11-22T00:00:00.000Z",
      data: {
        id: "id-of-a",
        project: { name: "projects/500000000001", projectId: "shop" },
        incident: {
          appId: "a",
          wholeApp: true,
          kind: "OUTCOME_SHARE",
          outcome: "DELIVERED",
          startDate: { year: 2024, month: 9, day: 24 },
          endDate: { year: 2024, month: 9, day: 29 },
          usualPercent: 90,
          usualLowPercent: 88,
          usualHighPercent: 92,
          observedPercent: 36,
          excessMessageCount: "5",
          confidence: 1,
          incidentId: "id-of-a",
        },
      },
    });
  });

  it("sends nothing about other projects", async () => {
    const webhook = await start({ projects: PROJECTS.slice(1) });
    await webhook.evaluated("500000000001", UNTIL, [incident("a")]);
    await webhook.evaluated("2", UNTIL, [incident("b")]);
    await untilDelivered(1);
    expect(messages()).toEqual(["b incident.started news"]);
    expect([...records.stored.keys()]).toEqual(["webhook/2/on-call"]);
  });

  it("sends each week's report once, from one of several processes, also after restarts", async () => {
    const report = create(WeeklyReportSchema, { acceptedMessageCount: 1_400n, markdown: "# Delivery" });
    const processes = [await start(), await start(), await start()];
    for (const monday of [19_989, 19_996]) {
      await Promise.all(processes.map((webhook) => webhook.reported("500000000001", monday, report)));
      await untilDelivered(monday === 19_989 ? 1 : 2);
    }
    await Promise.all(processes.map((webhook) => webhook.runner.stop(MAX_WEBHOOK_AT_STOP_MS)));
    const restarted = await start();
    expect(await restarted.lacksReport("500000000001", 19_996)).toBe(false);
    expect(await restarted.lacksReport("500000000001", 20_003)).toBe(true);
    await restarted.reported("500000000001", 19_996, report);
    await restarted.evaluated("2", UNTIL, [incident("b")]);
    await untilDelivered(3);
    expect(receiver.received.map(({ body }) => body.type)).toEqual([
      "report.weekly",
      "report.weekly",
      "incident.started",
    ]);
    expect(receiver.received[0]?.body).toEqual({
      type: "report.weekly",
      timestamp: "2026-11-22T00:00:00.000Z",
      data: {
        id: "2024-09-23",
        project: { name: "projects/500000000001", projectId: "shop" },
        report: { acceptedMessageCount: "1400", markdown: "# Delivery" },
      },
    });
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
    expect(JSON.stringify([...records.stored.values()])).not.toContain("# Delivery");
  });

  it("sends a report again with the same id and text after a failed attempt", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    receiver.onMessage = ({ respond }) => respond(receiver.received.length < 3 ? 500 : 200);
    const webhook = await start();
    await webhook.reported("2", 19_996, create(WeeklyReportSchema, { markdown: "# Delivery" }));
    await untilDelivered(1);
    expect(new Set(receiver.received.map(({ id, body }) => JSON.stringify([id, body]))).size).toBe(1);
    expect(receiver.received).toHaveLength(3);
  });

  it("sends only the selected events", async () => {
    const all = [incident("a")];
    const report = create(WeeklyReportSchema, { markdown: "# Delivery" });
    const webhooks = [];
    for (const event of WEBHOOK_EVENTS) webhooks.push(await start({ name: event, events: [event] }));
    for (const webhook of webhooks) {
      await webhook.evaluated("2", UNTIL, all);
      await webhook.evaluatedTargets("2", [evaluatedTarget(TargetState.MISSED, UNTIL)]);
      await webhook.reported("2", 19_996, report);
    }
    await untilDelivered(3);
    await Promise.all(webhooks.map(({ runner }) => runner.stop(MAX_WEBHOOK_AT_STOP_MS)));
    const types = receiver.received.map(({ body }) => body.type);
    expect(types.sort()).toEqual(["incident.started", "report.weekly", "target.missed"]);
    expect(await webhooks[2]?.notified("2")).toEqual([]);
    expect(await webhooks[0]?.lacksReport("2", 20_003)).toBe(false);
  });

  it("sends each message from only one of several processes", async () => {
    const processes = [await start(), await start(), await start()];
    const found = Array.from({ length: 20 }, (_, i) => incident(`app-${i}`));
    await Promise.all(processes.map((webhook) => webhook.evaluated("2", UNTIL, found)));
    await untilDelivered(20);
    await Promise.all(processes.map((webhook) => webhook.runner.stop(MAX_WEBHOOK_AT_STOP_MS)));
    expect(new Set(messages()).size).toBe(20);
    expect(receiver.received).toHaveLength(20);
  });
});

describe("IncidentWebhook after a failed attempt", () => {
  it("sends the same message with the same id again, after all other messages", async () => {
    // The minimum pauses between attempts.
    vi.spyOn(Math, "random").mockReturnValue(0);
    receiver.onMessage = ({ body, respond }) =>
      respond(body.data.incident?.appId === "a" && receiver.received.length < 4 ? 500 : 200);
    const webhook = await start();
    await webhook.evaluated("2", UNTIL, [incident("a"), incident("b")]);
    await untilDelivered(2);
    expect(messages()).toEqual(["a", "b", "a", "a"].map((app) => `${app} incident.started news`));
    const [first, , ...others] = receiver.received.map(({ id }) => id);
    expect(others).toEqual([first, first]);
    const failed = "failed 1: HTTP status 500";
    expect(events).toEqual([failed, "delivered after 1", failed, "delivered after 1"]);
  });

  it("sends message ids that differ from the ones of another webhook", async () => {
    const [first, second] = [await start(), await start({ name: "other" })];
    for (const webhook of [first, second]) await webhook.evaluated("2", UNTIL, [incident("a")]);
    await untilDelivered(2);
    const [one, other] = receiver.received;
    expect(one?.body.data.id).toBe(other?.body.data.id);
    expect(one?.id).not.toBe(other?.id);
  });

  it("does not delay other webhooks", async () => {
    const silent = await loopbackServer(() => {});
    const stuck = await start({ name: "stuck", url: silent.origin });
    const other = await start();
    await stuck.evaluated("2", UNTIL, [incident("a")]);
    await other.evaluated("2", UNTIL, [incident("a")]);
    await untilDelivered(1);
    days = 1;
    expect(stuck.lag(clock.wall())).toBe(DAY_MS);
    await poll(() => other.lag(clock.wall()) === 0);
    await silent.close();
  });

  it("stops retrying after seven days", async () => {
    receiver.onMessage = ({ respond }) => respond(500);
    const first = await start();
    await first.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => events.length > 0);
    await first.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
    days = 7.5;
    const second = await start();
    await poll(() => events.includes("gave up"));
    await poll(() => second.lag(clock.wall()) === 0);
    const { length } = receiver.received;
    receiver.onMessage = ({ respond }) => respond(200);
    await second.evaluated("2", UNTIL, [incident("a"), incident("b")]);
    await untilDelivered(1);
    await second.evaluated("2", UNTIL, []);
    await untilDelivered(2);
    expect(messages().slice(length)).toEqual(["b incident.started news", "b incident.withdrawn news"]);
  });

  it("reports which messages were delivered, and which it no longer sends", async () => {
    receiver.onMessage = ({ respond }) => respond(500);
    const first = await start();
    await first.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => events.length > 0);
    expect(await first.notified("7")).toEqual([]);
    await first.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
    days = 7.5;
    const second = await start();
    await poll(() => events.includes("gave up"));
    receiver.onMessage = ({ respond }) => respond(200);
    await second.evaluated("2", UNTIL, [incident("a"), incident("b")]);
    const statuses = async () => {
      const deliveriesOf = await readDeliveries([second], "2");
      return ["a", "b"].flatMap((app) => deliveriesOf(`id-of-${app}`).map(({ status }) => status));
    };
    while ((await statuses())[1] !== Status.DELIVERED) await new Promise(setImmediate);
    expect(await statuses()).toEqual([Status.GIVEN_UP, Status.DELIVERED]);
  });

  it("sends no withdrawal if the incident is no longer detected", async () => {
    receiver.onMessage = ({ respond }) => respond(500);
    vi.spyOn(Math, "random").mockReturnValue(0);
    const webhook = await start();
    await webhook.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => events.length > 0);
    await webhook.evaluated("2", UNTIL, []);
    const { length } = receiver.received;
    receiver.onMessage = ({ respond }) => respond(200);
    await webhook.evaluated("2", UNTIL, [incident("b")]);
    await untilDelivered(1);
    expect(messages().slice(length)).toEqual(["b incident.started news"]);
  });

  it("sends a withdrawal if the message arrives while its incident disappears", async () => {
    const webhook = await start();
    receiver.onMessage = ({ body, respond }) => {
      if (body.type === "incident.withdrawn") respond(200);
      else void webhook.evaluated("2", UNTIL, []).then(() => respond(200));
    };
    await webhook.evaluated("2", UNTIL, [incident("a")]);
    await untilDelivered(2);
    expect(messages()).toEqual(["a incident.started news", "a incident.withdrawn news"]);
  });

  it("sends a withdrawal if the message may have arrived", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    receiver.onMessage = ({ cut }) => cut();
    const webhook = await start();
    await webhook.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => events.length > 0);
    receiver.onMessage = ({ respond }) => respond(200);
    await webhook.evaluated("2", UNTIL, []);
    await untilDelivered(1);
    expect(messages().at(-1)).toBe("a incident.withdrawn news");
  });

  it("sends the message again from the next process with the same id", async () => {
    let isStopped = false;
    receiver.onMessage = ({ respond }) => isStopped && respond(200);
    const first = await start();
    await first.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => receiver.received.length === 1);
    await first.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
    isStopped = true;
    await start();
    await untilDelivered(1);
    expect(receiver.received.map(({ id }) => id)).toEqual([
      receiver.received[0]?.id,
      receiver.received[0]?.id,
    ]);
    expect(events).toEqual(["delivered after 0"]);
  });
});

describe("IncidentWebhook after HTTP 410", () => {
  beforeEach(() => {
    receiver.onMessage = ({ respond }) => respond(410);
  });

  it("sends nothing from any process until the process that received it is restarted", async () => {
    const first = await start();
    await first.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => events.includes("disabled"));
    const second = await start();
    for (const webhook of [first, second]) {
      await webhook.evaluated("2", UNTIL, [incident("a"), incident("b")]);
      webhook.runner.release();
    }
    expect([first.isDisabled, second.isDisabled]).toEqual([true, false]);
    expect(await leases.acquire("webhook.on-call", "another", 1)).toBeUndefined();
    expect(events).toEqual(["failed 1: HTTP status 410", "disabled"]);
    expect(receiver.received).toHaveLength(1);
    receiver.onMessage = ({ respond }) => respond(200);
    await Promise.all([
      first.runner.stop(MAX_WEBHOOK_AT_STOP_MS),
      second.runner.stop(MAX_WEBHOOK_AT_STOP_MS),
    ]);
    await start();
    await untilDelivered(2);
    expect(messages().slice(1).sort()).toEqual(["a incident.started news", "b incident.started news"]);
  });
});

it("IncidentWebhook sends waiting messages immediately after a release", async () => {
  receiver.onMessage = ({ respond }) => respond(receiver.received.length < 12 ? 500 : 200);
  const webhook = await start();
  await webhook.evaluated("2", UNTIL, [incident("a")]);
  // Twelve pauses last over an hour.
  await poll(() => {
    webhook.runner.release();
    return events.includes("delivered after 11");
  });
});

it("IncidentWebhook retries immediately if an attempt fails after a release", async () => {
  let webhook: IncidentWebhook | undefined;
  receiver.onMessage = ({ respond }) => {
    webhook?.runner.release();
    respond(receiver.received.length < 12 ? 500 : 200);
  };
  webhook = await start();
  await webhook.evaluated("2", UNTIL, [incident("a")]);
  await untilDelivered(1);
});

describe("IncidentWebhook.stop", () => {
  it("waits for the response to a sent message", async () => {
    const webhook = await start();
    let respond = (_: number): void => {};
    receiver.onMessage = (message) => {
      respond = message.respond;
    };
    await webhook.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => receiver.received.length === 1);
    const stopping = webhook.runner.stop(MAX_WEBHOOK_AT_STOP_MS);
    respond(200);
    await stopping;
    expect(events).toEqual(["delivered after 0"]);
    expect(records.stored.get("webhook/2/on-call")?.value).toMatchObject({
      incidents: [{ delivered: "started" }],
    });
  });
});

describe("IncidentWebhook with failing records", () => {
  it("records a delivery in a later attempt, without another message", async () => {
    const webhook = await start();
    receiver.onMessage = ({ respond }) => {
      if (receiver.received.length === 1) records.failures = 1;
      respond(200);
    };
    await webhook.evaluated("2", UNTIL, [incident("a")]);
    await poll(() => events.length === 2);
    await webhook.evaluated("2", UNTIL, [incident("a")]);
    const status = async () => (await readDeliveries([webhook], "2"))("id-of-a")[0]?.status;
    while ((await status()) !== Status.DELIVERED) await new Promise(setImmediate);
    expect(receiver.received).toHaveLength(1);
    expect(events).toEqual(["delivered after 0", "StoreUnavailableError: full"]);
  });

  it("fails if an evaluation cannot be recorded", async () => {
    const webhook = await start();
    records.failures = 1;
    await expect(webhook.evaluated("2", UNTIL, [incident("a")])).rejects.toThrow("full");
    await webhook.evaluated("2", UNTIL, [incident("a")]);
    await untilDelivered(1);
  });
});
