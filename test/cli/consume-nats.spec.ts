import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { testConsume, testOf } from "../support/brokers/consume-suite.js";
import { startConsume } from "../support/brokers/consuming.js";
import { startNatsServer } from "../support/brokers/nats-server.js";
import { accepted } from "../support/data/delivery-data.js";
import { countsByLabel, entriesOnceThey, ndjson } from "../support/data/import.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";

const test = testOf((directory) => startNatsServer(directory));

testConsume("nats", test);

const tls = (file: string): string => packagePath(`test/fixtures/tls/${file}`);
const PASSWORD = "a secret of the test";
/** Permissions to publish, as in docs/guides/send-events-from-a-broker.md. */
const PERMISSIONS = [
  "$JS.API.INFO",
  "$JS.API.STREAM.NAMES",
  "$JS.API.CONSUMER.INFO.EVENTS.created",
  "$JS.API.CONSUMER.CREATE.EVENTS.created",
  "$JS.API.CONSUMER.MSG.NEXT.EVENTS.created",
  "$JS.ACK.EVENTS.created.>",
  "dead.waybill",
];

test("waybill consume nats connects with TLS, a password that it does not log, and the documented permissions", async ({
  directory,
  editor,
  onTestFinished,
  server,
}) => {
  const config = `tls { cert_file: "${tls("server.pem")}", key_file: "${tls("server.key")}" }
authorization { users: [
  { user: admin, password: "${PASSWORD}" },
  { user: waybill, password: "${PASSWORD}", permissions: { subscribe: "_INBOX.>", publish: ${JSON.stringify(PERMISSIONS)} } },
] }`;
  const broker = await startNatsServer(directory, config, {
    user: "admin",
    pass: PASSWORD,
    tls: { caFile: tls("ca.pem") },
  });
  onTestFinished(broker.stop);
  await broker.publish([ndjson([accepted("secured", "2025-06-02T12:00:00-07:00")]), "invalid"]);
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, "wrong\n");
  const own = ["--broker", `tls://localhost:${broker.port}`, "--consumer", "created", "--user", "waybill"];
  const flags = [...broker.flags, ...own];
  const trusted = ["--tls-ca", tls("ca.pem"), "--password-file", passwordFile];
  const consuming = startConsume([...flags, ...trusted], server.messagingDataUrl, editor);
  const distrusting = startConsume(flags, server.messagingDataUrl, editor, {
    WAYBILL_BROKER_PASSWORD: PASSWORD,
  });
  onTestFinished(async () => {
    await Promise.all([consuming, distrusting].map(({ stop }) => stop("SIGKILL")));
  });
  await consuming.logged("Authorization Violation");
  await distrusting.logged("certificate");
  writeFileSync(passwordFile, `${PASSWORD}\n`);
  const entries = await entriesOnceThey(server, editor, "secured", ({ length }) => length > 0);
  expect(countsByLabel(entries).get("")).toBe(1);
  expect(await poll(broker.deadLetters, ({ length }) => length > 0)).toHaveLength(1);
  expect(consuming.log() + distrusting.log()).not.toContain(PASSWORD);
});
