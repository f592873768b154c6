import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import { parse } from "yaml";
import { runInProcess } from "../../../src/cli/testing/run-in-process.js";
import { send } from "../http/exchange.js";
import { packagePath } from "../package-path.js";
import { poll } from "../poll.js";
import type { Addresses } from "../servers/serve-process.js";
import { parsedLines } from "./import.js";

const FOLDER = packagePath("test/fixtures/upgrades");

/** Released versions with a fixture, such as `0.1`. `scripts/upgrade-fixture.mjs` makes one before each release. */
export const FIXTURE_VERSIONS = readdirSync(FOLDER);

/** The principal in the fixtures' configuration who may read everything. */
export const FIXTURE_OWNER = "owner@example.com";

/** Responses of an earlier version's server. */
export interface Recorded {
  readonly responses: readonly {
    readonly service: "integrity" | "messagingData" | "registry";
    readonly target: string;
    readonly response: object;
  }[];
  /** Configuration changes, as `waybill config history --json` prints them. */
  readonly history: readonly object[];
}

export const fixtureFile = (version: string, file: string): Buffer =>
  gunzipSync(readFileSync(join(FOLDER, version, `${file}.gz`)));

/** Returns a fixture's configuration, without databases. */
export const fixtureConfig = (version: string): object =>
  parse(readFileSync(join(FOLDER, version, "waybill.yaml"), "utf8"));

/** Checks that a server responds like an earlier version's server. */
export async function expectRecorded(
  server: Omit<Addresses, "adminUrl">,
  token: string,
  { responses }: Recorded,
): Promise<void> {
  for (const { service, target, response } of responses) {
    // Incidents are listed when the server has evaluated them.
    const read = await poll(
      async () => JSON.parse((await send(server[`${service}Url`], target, { token })).text),
      (body) => Object.keys(body).length >= Object.keys(response).length,
    );
    // A later version may add fields.
    expect({ target, response: read }).toMatchObject({ target, response });
  }
}

/** Checks that the history of configurations is complete. @param place flags of the data. */
export async function expectHistory({ history }: Recorded, place: readonly string[]): Promise<void> {
  const { stdout } = await runInProcess(["config", "history", "--json", ...place]);
  expect(parsedLines(stdout)).toMatchObject(history);
}

/** A table in a dump by `scripts/upgrade-dumps.mjs`. */
interface DumpedTable {
  readonly create: string;
  readonly insert: string;
  /** Rows in RowBinary and base64. */
  readonly rows: string;
}

/** Restores a fixture's tables in ClickHouse. @returns a function that removes them. */
export async function restoreClickHouse(
  url: string,
  database: string,
  version: string,
): Promise<() => Promise<void>> {
  const run = async (body: string | Buffer, query = ""): Promise<void> => {
    const response = await fetch(`${url}/${query}`, { method: "POST", body });
    if (!response.ok) throw new Error(await response.text());
  };
  const inDatabase = (sql: string): string => sql.replaceAll("waybill.", `${database}.`);
  const tables: readonly DumpedTable[] = JSON.parse(fixtureFile(version, "clickhouse.json").toString());
  await run(`CREATE DATABASE ${database}`);
  for (const { create, insert, rows } of tables) {
    await run(inDatabase(create));
    if (rows !== "")
      await run(Buffer.from(rows, "base64"), `?query=${encodeURIComponent(inDatabase(insert))}`);
  }
  return () => run(`DROP DATABASE ${database}`);
}
