import {
  AckPolicy,
  type Consumer,
  type ConsumerInfo,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream";
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  headers,
  millis,
  type NatsConnection,
  nanos,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { readFlagFile } from "../support/flag-files.js";
import { type BatchLimits, type Broker, BrokerError, type Delivery, withBrokerErrors } from "./broker.js";
import { type BrokerFlags, brokerUrl, brokerUser, tlsFiles } from "./broker-flags.js";

export interface NatsFlags extends BrokerFlags {
  readonly stream: string;
  readonly consumer: string;
  readonly deadLetter: string;
  readonly filter?: string;
  readonly creds?: string;
}

/** Settings of a new consumer. The server delivers a message again if it is not acknowledged in time. */
const ACK_WAIT_MS = 30_000;
/** Time after which a batch ends, even without a response from the server, in addition to its own limit. */
const GRACE_MS = 5_000;

/** A connection with everything that depends on it. */
interface Session {
  readonly connection: NatsConnection;
  readonly jetStream: JetStreamClient;
  readonly consumer: Consumer;
  /** Maximum number of messages that the server delivers without acknowledgement. */
  readonly maxPending: number;
  /** Extends the time for messages of the current batch. */
  readonly extension: NodeJS.Timeout;
}

/** A durable pull consumer of a JetStream stream. */
export class NatsBroker implements Broker {
  readonly #flags: NatsFlags;
  readonly #url: URL;
  readonly #onConnected: (text: string) => void;
  #session: Session | undefined;
  /** Messages of the current batch, even while it is received. */
  #held: readonly JsMsg[] = [];

  /** @throws CommandFailure if the address is invalid. */
  constructor(flags: NatsFlags, onConnected: (text: string) => void) {
    this.#flags = flags;
    this.#url = brokerUrl(flags, ["nats:", "tls:"]);
    this.#onConnected = onConnected;
  }

  async receive(limits: BatchLimits, signal: AbortSignal): Promise<readonly Delivery[]> {
    this.#session ??= await withBrokerErrors(this.#url, () => this.#connect(limits));
    const session = this.#session;
    const received: JsMsg[] = [];
    this.#held = received;
    await withBrokerErrors(this.#url, () => fetchBatch(session, limits, signal, received));
    if (received.length === 0 && session.connection.isClosed())
      throw new BrokerError(`${this.#url.href}: the connection was lost`);
    return received.map((message) => ({
      data: message.data,
      acknowledge: () => {
        if (!session.connection.isClosed()) message.ack();
      },
      deadLetter: (reason) => withBrokerErrors(this.#url, () => this.#deadLetter(session, message, reason)),
    }));
  }

  async disconnect(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    this.#held = [];
    if (session === undefined) return;
    clearInterval(session.extension);
    // Draining also sends pending acknowledgements. It fails if the connection is lost.
    await session.connection.drain().catch(() => {});
  }

  async #connect(limits: BatchLimits): Promise<Session> {
    const { stream, consumer } = this.#flags;
    const connection = await connect({
      servers: this.#url.host,
      name: "waybill consume",
      reconnect: false,
      ignoreClusterUpdates: true,
      ...(await this.#authentication()),
    });
    try {
      const manager = await jetstreamManager(connection);
      const { config } = await this.#consumerInfo(manager, limits);
      await this.#checkDeadLetterStream(manager);
      const jetStream = jetstream(connection);
      const ackWaitMs = config.ack_wait === undefined ? ACK_WAIT_MS : millis(config.ack_wait);
      this.#onConnected(`connected to ${this.#url.href}, stream ${stream}, consumer ${consumer}`);
      return {
        connection,
        jetStream,
        consumer: await jetStream.consumers.get(stream, consumer),
        maxPending: config.max_ack_pending ?? 0,
        extension: setInterval(() => this.#extend(connection), ackWaitMs / 3),
      };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async #authentication(): Promise<{ authenticator?: Authenticator; tls?: object }> {
    const { creds } = this.#flags;
    const user = await brokerUser(this.#flags);
    const tls = await tlsFiles(this.#flags);
    return {
      ...(creds !== undefined && {
        authenticator: credsAuthenticator(Buffer.from(await readFlagFile("--creds", creds))),
      }),
      ...(user !== undefined && { authenticator: usernamePasswordAuthenticator(user.name, user.password) }),
      ...((tls !== undefined || this.#url.protocol === "tls:") && { tls: { ...tls } }),
    };
  }

  /** Returns the consumer, and creates it if it does not exist. */
  async #consumerInfo({ consumers }: JetStreamManager, { messages }: BatchLimits): Promise<ConsumerInfo> {
    const { stream, consumer, filter } = this.#flags;
    const info = await consumers.info(stream, consumer).catch((error: unknown) => {
      if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound))
        throw error;
    });
    if (info === undefined)
      return consumers.add(stream, {
        durable_name: consumer,
        ack_policy: AckPolicy.Explicit,
        ack_wait: nanos(ACK_WAIT_MS),
        max_ack_pending: messages,
        ...(filter !== undefined && { filter_subject: filter }),
      });
    const { deliver_subject, ack_policy } = info.config;
    if (deliver_subject !== undefined || ack_policy !== AckPolicy.Explicit)
      throw new BrokerError(
        `the consumer ${consumer} must be a pull consumer with explicit acknowledgements`,
      );
    return info;
  }

  /** Messages that no stream stores would be lost, and those in the same stream would be consumed again. */
  async #checkDeadLetterStream({ streams }: JetStreamManager): Promise<void> {
    const { stream, deadLetter } = this.#flags;
    const names = await streams.names(deadLetter).next();
    if (names.length === 0) throw new BrokerError(`no stream stores the dead-letter subject ${deadLetter}`);
    if (names.includes(stream))
      throw new BrokerError(`the dead-letter subject ${deadLetter} must not belong to the stream ${stream}`);
  }

  #extend(connection: NatsConnection): void {
    if (!connection.isClosed()) for (const message of this.#held) message.working();
  }

  async #deadLetter({ jetStream }: Session, message: JsMsg, reason: string): Promise<void> {
    const { stream, streamSequence } = message.info;
    const fields = headers();
    fields.set("Waybill-Reason", reason.replaceAll(/[\r\n]+/g, " "));
    fields.set("Waybill-Subject", message.subject);
    fields.set("Waybill-Stream", stream);
    fields.set("Waybill-Sequence", String(streamSequence));
    // The server ignores a repetition of a message that it has stored recently.
    const msgID = `waybill-${stream}-${streamSequence}`;
    await jetStream.publish(this.#flags.deadLetter, message.data, { headers: fields, msgID });
    message.ack();
  }
}

/** Adds messages to `received`, until the batch is complete or the time is over. */
async function fetchBatch(
  { consumer, maxPending }: Session,
  { messages, waitMs }: BatchLimits,
  signal: AbortSignal,
  received: JsMsg[],
): Promise<void> {
  const max_messages = maxPending > 0 ? Math.min(messages, maxPending) : messages;
  const fetched = await consumer.fetch({ max_messages, expires: waitMs });
  const stop = (): void => void fetched.close();
  const timeout = setTimeout(stop, waitMs + GRACE_MS);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for await (const message of fetched) received.push(message);
  } catch (error) {
    // A slow process may miss heartbeats, which ends the wait.
    if (received.length === 0 && (error as Error).message !== "heartbeats missed") throw error;
  } finally {
    clearTimeout(timeout);
    signal.removeEventListener("abort", stop);
  }
}
