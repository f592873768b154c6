import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ExampleCluster, startExample } from "../support/cluster/example-cluster.js";
import { codeBlocks } from "../support/markdown.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";
import { runScript } from "../support/servers/run-script.js";
import { WAYBILL } from "../support/servers/waybill-command.js";

const blocks = codeBlocks(readFileSync(packagePath("docs/cluster.md"), "utf8"));

let cluster: ExampleCluster;
beforeAll(async () => {
  cluster = await startExample();
});
afterAll(() => cluster.stop());

const isOutput = (language: string | undefined): boolean => language === "json" || language === "text";

test("the commands of the page print what it shows", async () => {
  const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);
  const setUp = commands.filter((text) => /^[A-Z]+=\$\(/.test(text));
  const shown = blocks.flatMap((block, index) => {
    const output = blocks[index + 1];
    return block.language === "sh" && output?.adjacent && isOutput(output.language)
      ? [{ command: block.text, output: output.text.trim() }]
      : [];
  });
  expect([setUp.length, shown.length]).toEqual([1, 3]);
  for (const { command, output } of shown) {
    const script = cluster
      .withPorts([...setUp, command].join("\n"))
      .replaceAll("./bin/waybill", `node ${WAYBILL}`);
    await poll(
      async () => (await runScript(script, cluster.directory)).trim(),
      (printed) => printed === output,
    );
  }
});
