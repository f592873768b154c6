import type { Client } from "pg";
import type { RecordKind } from "../records.js";
import { endWithin, type PostgresDatabase } from "./postgres-database.js";
import { CHANNEL } from "./sql.js";

/** Interval of connection probes, in milliseconds. */
const PROBE_MS = 10_000;
const SILENCE_MS = 5_000;
/** Pause between two attempts to connect, in milliseconds. */
const PAUSE_MS = 1_000;

/** A kind of change that other processes announce. */
export type Topic = "days" | RecordKind["name"];

/**
 * Listens for change notices from other processes. Notices can be lost along with a connection. They make copies
 * current immediately, but do not replace the periodic reads that limit the age of copies.
 */
export class Notifications {
  readonly #database: PostgresDatabase;
  readonly #listeners: { readonly topic: Topic; readonly listener: () => void }[] = [];
  #client: Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** Calls `listener` whenever the topic has changed, or changes may have been missed. */
  on(topic: Topic, listener: () => void): void {
    this.#listeners.push({ topic, listener });
    if (this.#client === undefined && this.#timer === undefined && !this.#closed) this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await endWithin(client.end());
  }

  #connect(): void {
    const client = this.#database.newClient({ silenceMs: SILENCE_MS });
    this.#client = client;
    client.on("notification", ({ payload }) => this.#notify(payload));
    client.on("error", () => this.#reconnect(client));
    client.on("end", () => this.#reconnect(client));
    client
      .connect()
      .then(() => client.query(`LISTEN ${CHANNEL}`))
      .then(() => {
        // Earlier changes were not announced on this connection.
        this.#notify();
        this.#probe(client);
      })
      .catch(() => this.#reconnect(client));
  }

  /** Calls a topic's listeners, or all listeners. */
  #notify(changed?: string): void {
    for (const { topic, listener } of this.#listeners) {
      if (changed === undefined || topic === changed) listener();
    }
  }

  #probe(client: Client): void {
    this.#wait(PROBE_MS, () => {
      client.query("SELECT").then(
        () => this.#probe(client),
        () => this.#reconnect(client),
      );
    });
  }

  #reconnect(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    endWithin(client.end()).catch(() => {});
    this.#wait(PAUSE_MS, () => this.#connect());
  }

  #wait(milliseconds: number, then: () => void): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(then, milliseconds);
    this.#timer.unref();
  }
}
