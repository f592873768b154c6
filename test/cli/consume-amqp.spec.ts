import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { testConsume, testOf } from "../support/brokers/consume-suite.js";
import { startConsume } from "../support/brokers/consuming.js";
import {
  type RabbitMqServer,
  REJECTED_QUEUE,
  REJECTING_QUEUE,
  startRabbitMqServer,
} from "../support/brokers/rabbitmq-server.js";
import { accepted } from "../support/data/delivery-data.js";
import { countsByLabel, entriesOnceThey, ndjson } from "../support/data/import.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";
import { waybill } from "../support/servers/waybill-command.js";

const brokerTest = testOf(startRabbitMqServer);

testConsume("amqp", brokerTest);

const test = brokerTest.extend("rabbit", { scope: "file" }, ({ broker }) => broker as RabbitMqServer);

test("waybill consume amqp rejects invalid events to the queue's dead-letter exchange, with TLS and a password that it does not log", async ({
  directory,
  editor,
  onTestFinished,
  rabbit,
  server,
}) => {
  const events = [ndjson([accepted("rejecting", "2025-06-02T12:00:00-07:00")]), "invalid"];
  await rabbit.publishTo(REJECTING_QUEUE, events);
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, "a wrong password\n");
  const flags = ["amqp", "--broker", `amqps://localhost:${rabbit.tlsPort}`, "--queue", REJECTING_QUEUE];
  const user = ["--user", "guest", "--password-file", passwordFile, "--reject-invalid"];
  const authority = packagePath("test/fixtures/tls/ca.pem");
  const consuming = startConsume([...flags, ...user, "--tls-ca", authority], server.messagingDataUrl, editor);
  const distrusting = startConsume([...flags, ...user], server.messagingDataUrl, editor);
  onTestFinished(async () => {
    await Promise.all([consuming, distrusting].map(({ stop }) => stop("SIGKILL")));
  });
  await consuming.logged("ACCESS_REFUSED");
  await distrusting.logged("certificate");
  expect(consuming.log()).not.toContain("a wrong password");
  writeFileSync(passwordFile, "guest\n");
  const entries = await entriesOnceThey(server, editor, "rejecting", ({ length }) => length > 0);
  expect(countsByLabel(entries).get("")).toBe(1);
  await poll(() => rabbit.lengthOf(REJECTED_QUEUE), 1);
  expect(await consuming.stop("SIGTERM")).toBe(0);
  expect(await rabbit.lengthOf(REJECTING_QUEUE)).toBe(0);
});

const TARGET = ["--project", "p", "--token", "t"];

brokerTest.for([
  [["amqp", "--queue", "q"], "set --dead-letter QUEUE, or --reject-invalid"],
  [
    ["amqp", "--queue", "q", "--reject-invalid", "--broker", "amqp://user:secret@host"],
    "--broker must not contain a user or password; use --user and --password-file",
  ],
  [
    ["amqp", "--queue", "q", "--reject-invalid", "--broker", "http://host"],
    "--broker must be an address such as amqp:// or amqps://broker.example.com",
  ],
] as const)("waybill consume %s fails with: %s", async ([flags, reason]) => {
  const { code, stderr } = await waybill(["consume", ...flags, ...TARGET]);
  expect([code, stderr]).toEqual([1, `waybill: ${reason}\n`]);
});
