import { statfs } from "node:fs/promises";
import { expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import { Database } from "./database.js";

it("lets the engine spill to the whole disk, even if it was full on opening", async () => {
  const directory = await testDirectory();
  const database = await Database.open({ directory, memoryLimit: "64MB" });
  const connection = await database.connect();
  const result = await connection.runAndReadAll("SELECT current_setting('max_temp_directory_size')");
  const [, size, unit = ""] = /^([\d.]+) (\w+)$/.exec(String(result.getRows()[0]?.[0])) ?? [];
  const { blocks, bsize } = await statfs(directory);
  expect(Number(size) * 1024 ** ["bytes", "KiB", "MiB", "GiB", "TiB"].indexOf(unit)).toBeGreaterThan(
    blocks * bsize,
  );
  database.close();
});
