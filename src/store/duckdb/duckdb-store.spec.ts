import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreOpenError } from "../store-error.js";
import { describeStore } from "../testing/store-conformance.js";
import { DuckDbStore } from "./duckdb-store.js";

const open = (directory: string) => DuckDbStore.open({ directory, memoryLimit: "256MB" });

describeStore("DuckDbStore", async () => {
  const directory = await mkdtemp(join(tmpdir(), "waybill-store-"));
  return {
    open: () => open(directory),
    dispose: () => rm(directory, { recursive: true }),
  };
});

describe("opening a DuckDbStore", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "waybill-store-"));
  });
  afterEach(() => rm(directory, { recursive: true }));

  async function changeFile(sql: string): Promise<void> {
    const instance = await DuckDBInstance.create(join(directory, "waybill.duckdb"));
    const connection = await instance.connect();
    await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
  }

  it("refuses a file that a newer version wrote", async () => {
    await (await open(directory)).close();
    await changeFile("INSERT INTO schema_migrations VALUES (999, now())");
    await expect(open(directory)).rejects.toThrow(
      new StoreOpenError(
        "the database has schema version 999, and this version of waybill knows only 1: " +
          "it was written by a newer version; run that one",
      ),
    );
  });

  it("records each migration once", async () => {
    await (await open(directory)).close();
    await (await open(directory)).close();
    await expect(
      changeFile("SELECT error('again') FROM schema_migrations GROUP BY version HAVING count(*) > 1"),
    ).resolves.toBeUndefined();
  });

  it("says in one line what is wrong with a file that is no database", async () => {
    const { writeFile } = await import("node:fs/promises");
    await writeFile(join(directory, "waybill.duckdb"), "not a database ".repeat(1000));
    const error = await open(directory).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(StoreOpenError);
    expect((error as Error).message).toMatch(/^cannot open the data directory [^\n]+$/);
  });
});
