// Collects the licenses of bundled packages, which must be distributed with them.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns license texts of all packages that contain the files. */
export async function licensesOf(files) {
  const folders = new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = [...folders].sort().map(async (folder) => {
    const name = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
    const { license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const text = name === undefined ? "" : await readFile(join(folder, name), "utf8");
    return `${folder.replace(/^.*node_modules\//, "")}: ${license}\n\n${text.trim()}\n`;
  });
  return (await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`);
}
