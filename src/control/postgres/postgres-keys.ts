import { KeyError, type KeyStore, type Secret } from "../key-store.js";
import type { PostgresDatabase } from "./postgres-database.js";

/** Keys in a table. */
export class PostgresKeys implements KeyStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async secret(name: string, make: () => string): Promise<Secret> {
    try {
      // Another process may store its secret in between, which is then the one of all.
      const text = (await this.#read(name)) ?? (await this.#make(name, make)) ?? (await this.#read(name));
      if (text === undefined) throw new Error("it was removed meanwhile");
      return { text, place: this.#placeOf(name) };
    } catch (error) {
      throw new KeyError(`cannot read or make the ${this.#placeOf(name)}: ${String(error)}`, {
        cause: error,
      });
    }
  }

  async #read(name: string): Promise<string | undefined> {
    const sql = "SELECT text FROM waybill.keys WHERE name = $1";
    return (await this.#database.query<{ text: string }>("reading a key", sql, [name]))[0]?.text;
  }

  /** @returns the stored secret; `undefined` if another process was faster. */
  async #make(name: string, make: () => string): Promise<string | undefined> {
    const sql = "INSERT INTO waybill.keys (name, text) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING text";
    return (await this.#database.query<{ text: string }>("storing a key", sql, [name, make()]))[0]?.text;
  }

  #placeOf(name: string): string {
    return `key ${name} in the table waybill.keys of the ${this.#database.place}`;
  }
}
