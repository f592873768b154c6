import { type ChannelModel, type ConfirmChannel, type ConsumeMessage, connect, credentials } from "amqplib";
import { type BatchLimits, type Broker, brokerErrorOf, type Delivery, withBrokerErrors } from "./broker.js";
import { type BrokerFlags, brokerUrl, brokerUser, tlsFiles } from "./broker-flags.js";

export interface AmqpFlags extends BrokerFlags {
  readonly queue: string;
  readonly deadLetter?: string;
  readonly rejectInvalid?: true;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** Interval of heartbeats in seconds, which detect lost connections. */
const HEARTBEAT_S = 30;
const MAX_PREFETCH = 65_535;

/** A queue in RabbitMQ, or in another broker for AMQP 0-9-1. */
export class AmqpBroker implements Broker {
  readonly #flags: AmqpFlags;
  readonly #url: URL;
  readonly #onConnected: (text: string) => void;
  #session: Session | undefined;

  /** @throws CommandFailure if the address is invalid. */
  constructor(flags: AmqpFlags, onConnected: (text: string) => void) {
    this.#flags = flags;
    this.#url = brokerUrl(flags, ["amqp:", "amqps:"]);
    this.#onConnected = onConnected;
  }

  async receive(limits: BatchLimits, signal: AbortSignal): Promise<readonly Delivery[]> {
    this.#session ??= await withBrokerErrors(this.#url, () => this.#connect(limits));
    const session = this.#session;
    const received = await session.receive(limits, signal);
    if (received.length === 0 && session.lost !== undefined) throw brokerErrorOf(this.#url, session.lost);
    return received.map((message) => ({
      data: message.content,
      acknowledge: () => {
        if (session.lost === undefined) session.channel.ack(message);
      },
      deadLetter: (reason) => withBrokerErrors(this.#url, () => this.#deadLetter(session, message, reason)),
    }));
  }

  async disconnect(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }

  async #connect({ messages }: BatchLimits): Promise<Session> {
    const { queue, deadLetter } = this.#flags;
    const connection = await this.#open();
    // Errors also close the connection, and must have a listener.
    connection.on("error", () => {});
    try {
      const channel = await connection.createConfirmChannel();
      const session = new Session(connection, channel);
      if (deadLetter !== undefined) await channel.checkQueue(deadLetter);
      // A second batch arrives while the first one is imported.
      await channel.prefetch(Math.min(2 * messages, MAX_PREFETCH));
      await session.consume(queue);
      this.#onConnected(`connected to ${this.#url.href}, queue ${queue}`);
      return session;
    } catch (error) {
      await closeQuietly(connection);
      throw error;
    }
  }

  async #open(): Promise<ChannelModel> {
    const { protocol, hostname, port, pathname } = this.#url;
    const user = await brokerUser(this.#flags);
    const tls = await tlsFiles(this.#flags);
    const hasCertificate = tls?.cert !== undefined && user === undefined;
    const address = {
      protocol: protocol.replace(":", ""),
      hostname,
      heartbeat: HEARTBEAT_S,
      vhost: decodeURIComponent(pathname.slice(1)) || "/",
      ...(port !== "" && { port: Number(port) }),
      ...(user !== undefined && { username: user.name, password: user.password }),
    };
    return connect(address, {
      timeout: CONNECT_TIMEOUT_MS,
      clientProperties: { connection_name: "waybill consume" },
      ...tls,
      ...(hasCertificate && { credentials: credentials.external() }),
    });
  }

  async #deadLetter(session: Session, message: ConsumeMessage, reason: string): Promise<void> {
    const { channel } = session;
    const { queue, deadLetter } = this.#flags;
    if (session.lost !== undefined) throw session.lost;
    if (deadLetter === undefined) return channel.reject(message, false);
    const { headers, contentType, contentEncoding, messageId } = message.properties;
    await new Promise<void>((resolve, reject) => {
      const options = {
        persistent: true,
        mandatory: true,
        headers: { ...headers, "waybill-reason": reason, "waybill-queue": queue },
        contentType,
        contentEncoding,
        messageId,
      };
      channel.sendToQueue(deadLetter, message.content, options, (error) =>
        error ? reject(error) : resolve(),
      );
    });
    if (session.lost !== undefined) throw session.lost;
    channel.ack(message);
  }
}

/** A connection with the messages that have arrived. */
class Session {
  readonly channel: ConfirmChannel;
  readonly #connection: ChannelModel;
  readonly #inbox: ConsumeMessage[] = [];
  /** Called when a message arrives, or the session ends. */
  #onChange = (): void => {};
  /** Why the session cannot be used any more. */
  lost: Error | undefined;

  constructor(connection: ChannelModel, channel: ConfirmChannel) {
    this.#connection = connection;
    this.channel = channel;
    const lose = (error: Error): void => {
      this.lost ??= error;
      this.#onChange();
    };
    connection.on("error", lose);
    channel.on("error", lose);
    channel.on("close", () => lose(new Error("the connection was lost")));
    // The broker returns a message before it confirms it.
    channel.on("return", () => lose(new Error("the dead-letter queue does not exist any more")));
  }

  async consume(queue: string): Promise<void> {
    await this.channel.consume(queue, (message) => {
      if (message === null) this.lost ??= new Error(`the queue ${queue} was deleted`);
      else this.#inbox.push(message);
      this.#onChange();
    });
  }

  /** Waits until a batch has arrived or the time is over. */
  async receive({ messages, waitMs }: BatchLimits, signal: AbortSignal): Promise<readonly ConsumeMessage[]> {
    const isDone = (): boolean => this.#inbox.length >= messages || this.lost !== undefined || signal.aborted;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timeout);
        signal.removeEventListener("abort", end);
        resolve();
      };
      const timeout = setTimeout(end, waitMs);
      signal.addEventListener("abort", end);
      this.#onChange = () => {
        if (isDone()) end();
      };
      this.#onChange();
    });
    return this.#inbox.splice(0, messages);
  }

  async close(): Promise<void> {
    // Also sends pending acknowledgements. Both fail if the connection is lost.
    if (this.lost === undefined) await this.channel.close().catch(() => {});
    await closeQuietly(this.#connection);
  }
}

/** Closes a connection that may already be lost. */
const closeQuietly = async (connection: ChannelModel): Promise<void> => {
  await Promise.resolve()
    .then(() => connection.close())
    .catch(() => {});
};
