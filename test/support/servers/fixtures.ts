import { test as base } from "vitest";
import type { OnCleanup } from "../closing.js";
import { type TemporaryDirectory, temporaryDirectory } from "../temporary-directory.js";
import { BASE_CONFIG, EDITOR, NO_ROLE, VIEWER } from "./project.js";
import { type Server, startServer } from "./server.js";
import { WAYBILL } from "./waybill-command.js";

/** Starts a server, by default with the file's configuration. */
export type ServerStarter = (config?: object, args?: readonly string[]) => Promise<Server>;

/**
 * Tests with servers. A file that needs a different configuration sets it with `test.override("config", …)`. Only
 * fixtures that a file or a test names are set up. Each is disposed with its file or test, even if the test or the
 * setup fails.
 */
export const test = base
  .extend("config", { scope: "file" }, BASE_CONFIG as object)
  .extend("args", { scope: "file" }, [] as readonly string[])
  /** File of the command that servers run. */
  .extend("executable", { scope: "file" }, WAYBILL)
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
  .extend("sharedDirectory", { scope: "file" }, ({}, { onCleanup }) => ownDirectory(onCleanup))
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
  .extend("directory", ({}, { onCleanup }) => ownDirectory(onCleanup))
  /** Starts servers that stop with the file, each in its own directory. */
  .extend("openSharedServer", { scope: "file" }, ({ config, executable }, { onCleanup }) =>
    opener(config, executable, onCleanup),
  )
  /** Starts servers that stop with the test, each in its own directory. */
  .extend("openServer", ({ config, executable }, { onCleanup }) => opener(config, executable, onCleanup))
  /** Starts servers that stop with the test, all in its directory. */
  .extend("startServer", ({ config, executable, directory }, { onCleanup }) =>
    starter(config, executable, async () => directory, onCleanup),
  )
  .extend("server", { scope: "file" }, ({ config, args, openSharedServer }) => openSharedServer(config, args))
  .extend("editor", { scope: "file" }, ({ server }) => server.token(EDITOR))
  .extend("viewer", { scope: "file" }, ({ server }) => server.token(VIEWER))
  .extend("noRole", { scope: "file" }, ({ server }) => server.token(NO_ROLE));

export const it = test;

/** Creates a directory, and removes it at the end. */
async function ownDirectory(onCleanup: OnCleanup): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onCleanup(remove);
  return path;
}

/** Starts servers in separate directories, and stops and removes them at the end. */
function opener(defaultConfig: object, executable: string, onCleanup: OnCleanup): ServerStarter {
  const directories: TemporaryDirectory[] = [];
  const open = async (): Promise<string> => {
    const directory = await temporaryDirectory();
    directories.push(directory);
    return directory.path;
  };
  return starter(defaultConfig, executable, open, (stop) =>
    onCleanup(async () => {
      await stop();
      await Promise.all(directories.map(({ remove }) => remove()));
    }),
  );
}

/** Starts servers, and stops them at the end, including those that are still starting. */
function starter(
  defaultConfig: object,
  executable: string,
  directoryOfNext: () => Promise<string>,
  onCleanup: OnCleanup,
): ServerStarter {
  const starts: Promise<Server>[] = [];
  onCleanup(async () => {
    const started = await Promise.allSettled(starts);
    await Promise.all(started.map((start) => start.status === "fulfilled" && start.value.stop()));
  });
  return async (config = defaultConfig, args = []) => {
    const start = startServer(await directoryOfNext(), config, args, [], {}, executable);
    starts.push(start);
    return start;
  };
}
