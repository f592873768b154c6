import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packagePath } from "../support/package-path.js";

const LOGGER = packagePath("dist/server/operators/logger.js");

/** Runs a script with a `logger` in its own process, which ends by the script. @returns the logged messages. */
async function messagesOf(script: string): Promise<string[]> {
  const module = `import { createLogger } from ${JSON.stringify(LOGGER)};
    const logger = createLogger("info");
    const logMany = (count, text) => { for (let at = 0; at < count; at++) logger.info(text + at); };
    ${script}`;
  const { stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", module], {
    maxBuffer: 2 ** 26,
  });
  const lines = stderr.split("\n");
  expect(lines.pop(), "the last line has its end").toBe("");
  return lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);
}

const many = (count: number, text: string): string[] =>
  Array.from({ length: count }, (_, index) => `${text}${index}`);

it.each([
  ["the process exits right after them", 'logMany(300, "é"); process.exit();', many(300, "é")],
  ["the process ends by itself", 'logMany(3, "a");', many(3, "a")],
  ["more lines wait than there is room for", 'logMany(5000, "b"); process.exit();', many(5000, "b")],
  [
    "a line is longer than the room for lines",
    'logger.info("a"); logger.info("€".repeat(99999)); logger.info("b"); process.exit();',
    ["a", "€".repeat(99_999), "b"],
  ],
])("writes all log lines in order when %s", async (_, script, expected) => {
  expect(await messagesOf(script)).toEqual(expected);
});
