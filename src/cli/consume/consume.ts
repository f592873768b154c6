import { Command, Option } from "commander";
import {
  type ClientFlags,
  clientOf,
  serverOption,
  tokenFileOption,
  tokenOption,
} from "../support/client-flags.js";
import { CommandFailure, failClearly } from "../support/command-failure.js";
import { stopSignal } from "../support/stop-signal.js";
import type { AmqpFlags } from "./amqp-broker.js";
import type { Broker } from "./broker.js";
import { addBrokerOptions, type BrokerFlags, batchLimitsOf } from "./broker-flags.js";
import { consumeLog } from "./consume-log.js";
import { consumeMessages } from "./consume-messages.js";
import type { NatsFlags } from "./nats-broker.js";

const EXAMPLE = `
Examples:
  $ waybill consume nats --stream EVENTS --consumer waybill --dead-letter events.invalid --project demo-project \\
      --token-file token
  $ waybill consume amqp --queue events --dead-letter invalid-events --project demo-project --token-file token`;

type ConsumeFlags = ClientFlags & BrokerFlags & { readonly project: string };

/** `waybill consume`: imports events from a message broker. */
export function consumeCommand(): Command {
  const command = new Command("consume")
    .description("Import events from a message broker")
    .addHelpText("after", EXAMPLE);
  addCommand(command, "nats", "nats://127.0.0.1:4222")
    .description("Import events from a NATS JetStream stream, until SIGINT or SIGTERM")
    .requiredOption("--stream <name>", "stream to consume")
    .requiredOption("--consumer <name>", "durable pull consumer; it is created if it does not exist")
    .requiredOption("--dead-letter <subject>", "subject in another stream for messages with invalid events")
    .option("--filter <subject>", "subject of the messages to consume, for a new consumer (default: all)")
    .option("--creds <file>", "NATS credentials file, instead of a user; it is read before each connection")
    .action(
      failClearly(async (flags: ConsumeFlags & NatsFlags) => {
        const { NatsBroker } = await import("./nats-broker.js");
        await consume(flags, (onConnected) => new NatsBroker(flags, onConnected));
      }),
    );
  addCommand(command, "amqp", "amqp://127.0.0.1")
    .description("Import events from a queue in RabbitMQ (AMQP 0-9-1), until SIGINT or SIGTERM")
    .requiredOption("--queue <name>", "queue to consume")
    .option("--dead-letter <queue>", "existing queue for messages with invalid events")
    .addOption(
      new Option(
        "--reject-invalid",
        "reject messages with invalid events; without a dead-letter exchange, the broker deletes them",
      ).conflicts("deadLetter"),
    )
    .action(
      failClearly(async (flags: ConsumeFlags & AmqpFlags) => {
        if (flags.deadLetter === undefined && flags.rejectInvalid === undefined)
          throw new CommandFailure("set --dead-letter QUEUE, or --reject-invalid");
        const { AmqpBroker } = await import("./amqp-broker.js");
        await consume(flags, (onConnected) => new AmqpBroker(flags, onConnected));
      }),
    );
  return command;
}

function addCommand(parent: Command, name: string, address: string): Command {
  const command = parent
    .command(name)
    .addOption(serverOption("messaging-data"))
    .requiredOption("--project <project>", "id or number of the project")
    .addOption(tokenOption())
    .addOption(tokenFileOption());
  return addBrokerOptions(command, address);
}

async function consume(
  flags: ConsumeFlags,
  brokerOf: (onConnected: (text: string) => void) => Broker,
): Promise<void> {
  const { project, batchBytes } = flags;
  // Failures are retried and reported here, together with broker failures.
  const client = clientOf("messaging-data", flags, "--token, --token-file", { attempts: 1 });
  const broker = brokerOf((text) => log.note(text));
  const signal = stopSignal();
  const log = consumeLog();
  const target = { client, project, batchBytes };
  await consumeMessages({ broker, target, limits: batchLimitsOf(flags), log, signal });
}
