import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accepted } from "../data/delivery-data.js";
import { ndjson } from "../data/import.js";
import { respond, startRecorder } from "../http/recorder.js";
import { poll } from "../poll.js";
import { textOf } from "../text-of.js";
import { test as serving } from "./fixtures.js";
import { PROJECT } from "./project.js";
import { WAYBILL } from "./waybill-command.js";

const NOON = "2025-06-02T12:00:00-07:00";
/** NDJSON with a number of events. */
export const eventsOf = (app: string, count: number): string =>
  ndjson(Array.from({ length: count }, () => accepted(app, NOON)));
/** The same as separate lines. */
export const linesOf = (app: string, count: number): readonly string[] =>
  eventsOf(app, count).split(/(?<=\n)/);
/** Makes each request contain a single event. */
export const ONE_LINE = ["--batch-bytes", "1"];

/** A running `waybill import --follow`. */
interface Follower {
  readonly process: ChildProcess;
  readonly exited: Promise<unknown>;
  output(): string;
}

/** Waits for a text. A file may have moved before the test has read the message about it. */
export const printed = (output: () => string, expected: RegExp): Promise<string> =>
  poll(output, (text) => text.search(expected) >= 0);

/** Tests of `waybill import --follow`. */
export const test = serving
  /** Runs `waybill import --follow` on a test's directory. Programs still running end with the test. */
  .extend(
    "follow",
    ({ directory, server, editor, onTestFinished }) =>
      (
        flags: readonly string[] = [],
        url: string = server.messagingDataUrl,
        options: Pick<SpawnOptions, "uid" | "gid"> = {},
      ): Follower => {
        const target = ["--server", url, "--project", PROJECT.number, "--token", editor];
        const args = [WAYBILL, "import", "--follow", directory, ...target, ...flags];
        const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
        const outputs = [child.stdout, child.stderr].map(textOf);
        const exited = once(child, "close");
        onTestFinished(async () => {
          child.kill("SIGKILL");
          await exited;
        });
        return { process: child, exited, output: () => outputs.map((text) => text()).join("") };
      },
  )
  /** Adds a complete file. */
  .extend("add", ({ directory }) => (name: string, content: string | Buffer): void => {
    writeFileSync(join(directory, `${name}.part`), content);
    renameSync(join(directory, `${name}.part`), join(directory, name));
  })
  /** Waits until a folder contains the files. */
  .extend("moved", ({ directory }) => (folder: "imported" | "rejected", ...names: readonly string[]) => {
    const list = async (): Promise<readonly string[]> => {
      try {
        return readdirSync(join(directory, folder)).toSorted();
      } catch {
        return [];
      }
    };
    return poll(list, (files) => names.every((name) => files.includes(name)));
  })
  /** A server that records each request. */
  .extend("recorder", async ({ onTestFinished }) => {
    const recorder = await startRecorder();
    onTestFinished(recorder.close);
    return recorder;
  })
  /** Imports the first two lines of a file, and ends the program while a third request waits. */
  .extend(
    "importTwo",
    ({ add, directory, follow, recorder }) =>
      async (name: string, lines: readonly string[], signal: NodeJS.Signals): Promise<unknown> => {
        add(name, lines.join(""));
        const { process, exited } = follow(ONE_LINE, recorder.url);
        const acknowledged = lines.slice(0, 2);
        for (const line of acknowledged)
          respond((await recorder.withBody(line)).response, 200, { importedCount: "1" });
        await recorder.next(2);
        const progress = join(directory, ".waybill-import.json");
        await poll(
          () => existsSync(progress) && JSON.parse(readFileSync(progress, "utf8")).bytes,
          (bytes) => bytes === acknowledged.join("").length,
        );
        process.kill(signal);
        return exited;
      },
  );
