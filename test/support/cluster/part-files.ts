import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runStatement } from "./run-statement.js";

/** Lists files of active parts in a database, on ClickHouse servers of this machine. */
export async function partFiles(urls: readonly string[], database: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const url of urls) {
    const sql = `SELECT path FROM system.parts WHERE database = '${database}' AND active FORMAT TabSeparated`;
    const directories = (await runStatement(url, sql)).split("\n").filter((path) => path !== "");
    for (const directory of directories) {
      for (const entry of await readdir(directory, { withFileTypes: true })) {
        if (entry.isFile()) files.push(join(directory, entry.name));
      }
    }
  }
  return files;
}
