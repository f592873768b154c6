import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { fileDirectory } from "../../test/support/test-directory.js";
import { loopbackServer } from "../http/testing/loopback-server.js";
import { type CommandOutcome, runInProcess } from "./testing/run-in-process.js";

const directory = fileDirectory();
beforeAll(async () => {
  await mkdir(join(directory, "folder"));
  await writeFile(join(directory, "file"), "");
  await writeFile(join(directory, "events"), "{}\n");
  await writeFile(join(directory, "cluster.yaml"), "");
});

/** Runs a command line. DIR is a placeholder for the test directory, also in the output. */
async function run(line: string): Promise<CommandOutcome> {
  const args = line.split(" ").map((word) => word.replace(/DIR/, directory));
  const { code, stdout, stderr } = await runInProcess(args);
  const shown = (text: string): string => text.replaceAll(directory, "DIR");
  return { code, stdout: shown(stdout), stderr: shown(stderr) };
}

const IMPORT = "--project p --token t";
const LIST = "list --project p --app a --token t --format parquet";
const NOTHING = "there is no such file or directory";
const NO_DIRECTORY = "part of the path is a file, not a directory";

describe("a command reports a problem in one line, without a system error code:", () => {
  it.each([
    [`import DIR/none ${IMPORT}`, `DIR/none: ${NOTHING}`],
    [`import DIR/file/none ${IMPORT}`, `DIR/file/none: ${NO_DIRECTORY}`],
    [`import DIR/folder ${IMPORT}`, "DIR/folder is a directory; name the files in it, or use --follow"],
    [`import DIR/file ${IMPORT} --map DIR/none`, `--map DIR/none: ${NOTHING}`],
    [`import DIR/file ${IMPORT} --map DIR/folder`, "--map DIR/folder: it is a directory"],
    ["import DIR/events --project p --token-file DIR/none", `--token-file DIR/none: ${NOTHING}`],
    ["import DIR/events --project p --token-file DIR/folder", "--token-file DIR/folder: it is a directory"],
    ["config history --data-dir DIR/none", "--data-dir DIR/none: there is no such directory"],
    ["config history --data-dir DIR/file", "--data-dir DIR/file: it is not a directory"],
    ["config history --config DIR/none", `DIR/none: cannot be read: ${NOTHING}`],
    ["token --config DIR/folder", "DIR/folder: cannot be read: it is a directory"],
    [
      "token --data-dir DIR/file",
      "the control data in DIR/file/records.db cannot be opened: it is not a directory",
    ],
    [
      "token --data-dir /proc/none",
      "the control data in /proc/none/records.db cannot be opened: a directory cannot be created there",
    ],
    [
      "credentials create --principal p --out DIR/none/x --data-dir DIR/data",
      "cannot write DIR/none/x: there is no such directory",
    ],
    [
      "credentials create --principal p --out DIR/file/x --data-dir DIR/data",
      `cannot write DIR/file/x: ${NO_DIRECTORY}`,
    ],
    [
      "credentials create --principal p --force --out DIR/folder --data-dir DIR/data",
      "cannot write DIR/folder: it is a directory",
    ],
    [
      "credentials create --principal p --out DIR/file --data-dir DIR/data",
      "cannot write DIR/file: the file exists; --force replaces it",
    ],
    ["check --data-dir DIR/none", "--data-dir DIR/none: there is no such directory"],
    ["check --data-dir DIR/file", "--data-dir DIR/file: it is not a directory"],
    ["check --data-dir DIR/folder", "there is no database in DIR/folder"],
    ["restore --from DIR/none --data-dir DIR/data", "--from DIR/none: there is no such directory"],
    ["restore --from DIR/file --data-dir DIR/data", "--from DIR/file: it is not a directory"],
    ["restore --from DIR/file/x --data-dir DIR/data", `--from DIR/file/x: ${NO_DIRECTORY}`],
    ["copy --from DIR/none --to DIR/cluster.yaml", "--from DIR/none: there is no such directory"],
    ["copy --from DIR/folder --to DIR/none", `DIR/none: cannot be read: ${NOTHING}`],
    ["backup --out DIR/file", "DIR/file: it is not a directory"],
    ["backup --out DIR/file/x", "DIR/file: it is not a directory"],
    ["backup --out /proc/none", "/proc/none: a directory cannot be created there"],
    [`${LIST} --out DIR/none/x`, `--out DIR/none/x: ${NOTHING}`],
    [`${LIST} --out DIR/file/x`, `--out DIR/file/x: ${NO_DIRECTORY}`],
    [`${LIST} --out DIR/folder`, "--out DIR/folder is a directory; name a file"],
    ["simulate --messages 1 --out DIR/none/x", `cannot write DIR/none/x: ${NOTHING}`],
    ["simulate --messages 1 --out DIR/folder", "cannot write DIR/folder: it is a directory"],
    ["simulate --messages 1 --out /dev/full", "cannot write /dev/full: the disk is full"],
    ["simulate --messages 1 --out DIR/x --expect /dev/full", "cannot write /dev/full: the disk is full"],
    ["serve --config DIR/none", `DIR/none: cannot be read: ${NOTHING}`],
  ])("%s", async (line, problem) => {
    expect(await run(line)).toEqual({ code: 1, stdout: "", stderr: `waybill: ${problem}\n` });
  });
});

it("a command reports in one line that a server has no TLS", async () => {
  const { origin, close } = await loopbackServer((_request, response) => void response.end());
  const { port } = new URL(origin);
  const { code, stdout, stderr } = await run(
    `clock --admin https://127.0.0.1:${port} --admin-token-file DIR/events`,
  );
  await close();
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^waybill: https:\S+ cannot be reached: .+[^\n]\n$/);
});

describe("a malformed command line", () => {
  it.each([
    ["clock advance -2d", /To set the clock back, use waybill clock set\.\n$/],
    ["clock advance 2d --nonsense", /too many arguments/],
    ["clock advance --nonsense", /^error: unknown option '--nonsense'\n$/],
    ["clock advance -x2d", /^error: unknown option '-x2d'\n$/],
    ["clock --nonsense", /unknown option '--nonsense'/],
    [
      "targets create --project p --token t --app a --delivered 0x10",
      /a number above 0, and at most 100\.\n$/,
    ],
    ["views share n --token t --days 1e1", /a number above 0, and at most 90\.\n$/],
    ["check --data-dir d --days -1", /a whole number of at least 0\.\n$/],
    // An unset shell variable must not stand for the whole project.
    [
      "annotations create --project p --token t --date 2026-11-25 --kind other --text t --app ",
      /'--app <app>' argument '' is invalid\. It must not be empty\.\n$/,
    ],
  ])("is rejected with the message: %s", async (line, message) => {
    expect(await run(line)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(message) });
  });

  it.each(["help imprt", "imprt", "help imprt --project p"])(
    "reports an unknown command: %s",
    async (line) => {
      expect(await run(line)).toEqual({
        code: 1,
        stdout: "",
        stderr:
          "error: unknown command 'imprt'\n(Did you mean import?)\n(waybill --help lists all commands)\n",
      });
    },
  );
});

it.each(["import --help", "help import"])("%s prints the command's help", async (line) => {
  expect(await run(line)).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Usage: waybill import /),
    stderr: "",
  });
});

it("commands that run concurrently in one process have separate output", async () => {
  const lines = ["token --scope none", "--version", "help list"];
  const outputs = await Promise.all(lines.map(run));
  expect(outputs).toEqual(await Promise.all(lines.map(async (line) => run(line))));
  expect(new Set(outputs.map(({ stdout, stderr }) => stdout + stderr)).size).toBe(3);
});
