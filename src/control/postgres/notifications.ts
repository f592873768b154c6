import type { Client } from "pg";
import type { RecordKind } from "../records.js";
import { endWithin, type PostgresDatabase } from "./postgres-database.js";
import { CHANNEL } from "./sql.js";

/** Interval between checks of a connection, in milliseconds. */
const PROBE_MS = 10_000;
const SILENCE_MS = 5_000;
/** Pause between two attempts to connect, in milliseconds. */
const PAUSE_MS = 1_000;

/** Topic of a change, in a notice from another process. */
export type Topic = "days" | RecordKind["name"];

/**
 * Receives notices of changes that other processes make. If a connection breaks, notices can be lost. With notices,
 * local copies are updated immediately. Without them, periodic reads still limit the copies' age.
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

  /** Calls `listener` when a topic has changed, and when notices may have been lost. */
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
        // Changes before this connection existed were not announced on it.
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
