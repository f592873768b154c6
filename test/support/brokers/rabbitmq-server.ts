import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ConfirmChannel, connect } from "amqplib";
import { type DebianProcess, spawnProcess } from "../cluster/debian-process.js";
import { freePort } from "../cluster/free-port.js";
import { need } from "../needs.js";
import { packagePath } from "../package-path.js";
import { poll } from "../poll.js";
import type { DeadLetter, TestBroker } from "./test-broker.js";

need("rabbitmq");

const QUEUE = "events";
const DEAD_LETTERS = "invalid-events";
/** A queue with a dead-letter exchange, and the queue that gets its dead letters. */
export const REJECTING_QUEUE = "rejecting";
export const REJECTED_QUEUE = "rejected";

export interface RabbitMqServer extends TestBroker {
  readonly tlsPort: number;
  /** Publishes messages to a queue, and waits until it has stored them. */
  publishTo(queue: string, messages: readonly string[]): Promise<void>;
  /** Number of messages in a queue, except for those that a consumer holds. */
  lengthOf(queue: string): Promise<number>;
}

/** Starts Debian's RabbitMQ in a directory of its own, with its own port mapper, on the loopback interface. */
export async function startRabbitMqServer(directory: string): Promise<RabbitMqServer> {
  const port = await freePort();
  const tlsPort = await freePort();
  const mapperPort = await freePort();
  const distributionPort = await freePort();
  const config = join(directory, "rabbitmq.conf");
  const plugins = join(directory, "plugins");
  const tls = (file: string): string => packagePath(`test/fixtures/tls/${file}`);
  await mkdir(join(directory, "home"), { recursive: true });
  await writeFile(plugins, "[].\n");
  await writeFile(
    config,
    [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      `listeners.ssl.1 = 127.0.0.1:${tlsPort}`,
      `ssl_options.cacertfile = ${tls("ca.pem")}`,
      `ssl_options.certfile = ${tls("server.pem")}`,
      `ssl_options.keyfile = ${tls("server.key")}`,
      "ssl_options.verify = verify_none",
      "",
    ].join("\n"),
  );
  const environment = {
    HOME: join(directory, "home"),
    // Without a process in between, which would survive SIGKILL.
    RUNNING_UNDER_SYSTEMD: "1",
    ERL_EPMD_PORT: String(mapperPort),
    RABBITMQ_NODENAME: `waybill-${port}@localhost`,
    RABBITMQ_DIST_PORT: String(distributionPort),
    RABBITMQ_MNESIA_BASE: join(directory, "mnesia"),
    RABBITMQ_LOGS: "-",
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    RABBITMQ_CONFIG_FILE: config,
    // One scheduler, which does not wait actively.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: "+S 1:1 +sbwt none -kernel inet_dist_use_interface {127,0,0,1}",
  };
  const mapper = spawnProcess("epmd", ["-port", String(mapperPort), "-address", "127.0.0.1"]);
  await mapper.listens(mapperPort);
  const connected = async <T>(work: (channel: ConfirmChannel) => Promise<T>): Promise<T> => {
    const connection = await connect({ protocol: "amqp", hostname: "127.0.0.1", port });
    try {
      return await work(await connection.createConfirmChannel());
    } finally {
      await connection.close();
    }
  };
  let server: DebianProcess;
  const start = async (): Promise<void> => {
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
    server = spawnProcess("env", [...variables, "/usr/lib/rabbitmq/bin/rabbitmq-server"]);
    await server.listens(port);
    // It accepts connections before it can serve them.
    await poll(() => connected(async () => true).catch(() => false));
  };
  await start();
  await connected(async (channel) => {
    for (const queue of [QUEUE, DEAD_LETTERS, REJECTED_QUEUE]) await channel.assertQueue(queue);
    await channel.assertQueue(REJECTING_QUEUE, {
      deadLetterExchange: "",
      deadLetterRoutingKey: REJECTED_QUEUE,
    });
  });
  const publishTo: RabbitMqServer["publishTo"] = (queue, messages) =>
    connected(async (channel) => {
      for (const message of messages) channel.sendToQueue(queue, Buffer.from(message), { persistent: true });
      await channel.waitForConfirms();
    });
  const lengthOf: RabbitMqServer["lengthOf"] = (queue) =>
    connected(async (channel) => (await channel.checkQueue(queue)).messageCount);
  return {
    tlsPort,
    publishTo,
    lengthOf,
    flags: ["amqp", "--broker", `amqp://127.0.0.1:${port}`, "--queue", QUEUE, "--dead-letter", DEAD_LETTERS],
    publish: (messages) => publishTo(QUEUE, messages),
    pending: () => lengthOf(QUEUE),
    deadLetters: () =>
      connected(async (channel) => {
        const letters: DeadLetter[] = [];
        // When the connection is closed, the messages return to the queue.
        for (;;) {
          const message = await channel.get(DEAD_LETTERS);
          if (message === false) return letters;
          const reason: unknown = message.properties.headers?.["waybill-reason"];
          letters.push({ text: message.content.toString(), reason: String(reason) });
        }
      }),
    clear: () =>
      connected(async (channel) => {
        for (const queue of [QUEUE, DEAD_LETTERS]) await channel.purgeQueue(queue);
      }),
    kill: () => server.kill(),
    start,
    stop: async () => {
      await server.kill();
      await mapper.kill();
    },
  };
}
