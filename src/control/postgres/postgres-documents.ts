import type { DocumentStore } from "../document-store.js";
import type { PostgresDatabase } from "./postgres-database.js";

const READ = "SELECT text FROM waybill.documents WHERE name = $1";
const MAKE =
  "INSERT INTO waybill.documents (name, text) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING name";
const REPLACE = "UPDATE waybill.documents SET text = $3 WHERE name = $1 AND text = $2 RETURNING name";

/** Documents in a table. */
export class PostgresDocuments implements DocumentStore {
  readonly #database: PostgresDatabase;

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async read(name: string): Promise<string | undefined> {
    const [document] = await this.#database.query<{ text: string }>("reading a document", READ, [name]);
    return document?.text;
  }

  async replace(name: string, before: string | undefined, after: string): Promise<boolean> {
    const rows =
      before === undefined
        ? await this.#database.query("making a document", MAKE, [name, after])
        : await this.#database.query("replacing a document", REPLACE, [name, before, after]);
    return rows.length > 0;
  }
}
