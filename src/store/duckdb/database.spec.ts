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

// On other systems, the engine has no allocator that keeps freed memory.
it.runIf(process.platform === "linux")(
  "returns freed memory to the system with the next large table",
  async () => {
    const directory = await testDirectory();
    const database = await Database.open({ directory, memoryLimit: "200MB", threads: 2 });
    const connection = await database.connect();
    const before = process.memoryUsage.rss();
    await connection.run(
      "CREATE TEMP TABLE numbers AS SELECT range AS a, 'number ' || range AS b FROM range(4000000)",
    );
    // Measured before the table is dropped, because the allocator also returns freed memory after some time.
    const used = process.memoryUsage.rss() - before;
    await connection.run("DROP TABLE numbers");
    await connection.run(
      "SELECT count(*) FROM range(600000) AS a JOIN range(600000) AS b ON a.range = b.range",
    );
    expect(process.memoryUsage.rss() - before).toBeLessThan(used / 2);
    database.close();
  },
);
