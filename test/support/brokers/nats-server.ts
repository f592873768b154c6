import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AckPolicy, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { type ConnectionOptions, connect, type NatsConnection, nanos } from "@nats-io/transport-node";
import { type DebianProcess, spawnProcess } from "../cluster/debian-process.js";
import { freePort } from "../cluster/free-port.js";
import { need } from "../needs.js";
import type { DeadLetter, TestBroker } from "./test-broker.js";

need("nats-server");

const STREAM = "EVENTS";
const CONSUMER = "waybill";
const DEAD_LETTERS = "DEAD_LETTERS";
/** Time after which unacknowledged messages are delivered again. The default is 30 s. */
const ACK_WAIT_MS = 2_000;

export interface NatsServer extends TestBroker {
  readonly port: number;
}

/** Starts Debian's NATS server in a directory of its own. @param config further lines of its configuration. */
export async function startNatsServer(
  directory: string,
  config = "",
  options: ConnectionOptions = {},
): Promise<NatsServer> {
  const port = await freePort();
  const file = join(directory, "nats.conf");
  await writeFile(
    file,
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${join(directory, "jetstream")}" }\n${config}`,
  );
  let server: DebianProcess;
  const start = async (): Promise<void> => {
    server = spawnProcess("nats-server", ["--config", file]);
    await server.listens(port);
  };
  const connected = async <T>(work: (connection: NatsConnection) => Promise<T>): Promise<T> => {
    const connection = await connect({ servers: `127.0.0.1:${port}`, ...options });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  };
  const managed = <T>(work: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>) =>
    connected(async (connection) => work(await jetstreamManager(connection)));
  await start();
  await managed(async ({ streams, consumers }) => {
    await streams.add({ name: STREAM, subjects: ["events.>"] });
    await streams.add({ name: DEAD_LETTERS, subjects: ["dead.>"] });
    await consumers.add(STREAM, {
      durable_name: CONSUMER,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
    });
  });
  return {
    port,
    flags: [
      ...["nats", "--broker", `nats://127.0.0.1:${port}`],
      ...["--stream", STREAM, "--consumer", CONSUMER, "--dead-letter", "dead.waybill"],
    ],
    publish: (messages) =>
      connected(async (connection) => {
        const client = jetstream(connection);
        await Promise.all(messages.map((message) => client.publish("events.sent", message)));
      }),
    pending: () =>
      managed(async ({ consumers }) => {
        const { num_pending, num_ack_pending } = await consumers.info(STREAM, CONSUMER);
        return num_pending + num_ack_pending;
      }),
    deadLetters: () =>
      managed(async ({ streams }) => {
        const { state } = await streams.info(DEAD_LETTERS);
        const letters: DeadLetter[] = [];
        if (state.messages === 0) return letters;
        for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
          const message = await streams.getMessage(DEAD_LETTERS, { seq });
          letters.push({
            text: message?.string() ?? "",
            reason: message?.header.get("Waybill-Reason") ?? "",
          });
        }
        return letters;
      }),
    clear: () =>
      managed(async ({ streams }) => {
        await streams.purge(STREAM);
        await streams.purge(DEAD_LETTERS);
      }),
    kill: () => server.kill(),
    start,
    stop: () => server.kill(),
  };
}
