import { test as base } from "vitest";
import type { OnCleanup } from "../closing.js";
import { type TemporaryDirectory, temporaryDirectory } from "../temporary-directory.js";
import { BASE_CONFIG, EDITOR, NO_ROLE, VIEWER } from "./project.js";
import { type Server, type StartServer, startServer } from "./server.js";

/** Starts a server, by default with the file's configuration. */
export type ServerStarter<S extends Server = Server> = (
  config?: object,
  args?: readonly string[],
) => Promise<S>;

/**
 * Returns tests with servers that `start` starts. A file that needs a different configuration sets it with
 * `test.override("config", …)`. Only fixtures that a file or a test names are set up. Each is disposed with its file or
 * test, even if the test or the setup fails.
 */
export const testsWith = <S extends Server>(start: StartServer<S>) =>
  base
    .extend("config", { scope: "file" }, BASE_CONFIG as object)
    .extend("args", { scope: "file" }, [] as readonly string[])
    /** Starts servers in a directory. */
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
    .extend("startIn", { scope: "file" }, async ({}) => start)
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
    .extend("sharedDirectory", { scope: "file" }, ({}, { onCleanup }) => ownDirectory(onCleanup))
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from this pattern.
    .extend("directory", ({}, { onCleanup }) => ownDirectory(onCleanup))
    /** Starts servers that stop with the file, each in its own directory. */
    .extend("openSharedServer", { scope: "file" }, ({ config, startIn }, { onCleanup }) =>
      opener(startIn, config, onCleanup),
    )
    /** Starts servers that stop with the test, each in its own directory. */
    .extend("openServer", ({ config, startIn }, { onCleanup }) => opener(startIn, config, onCleanup))
    /** Starts servers that stop with the test, all in its directory. */
    .extend("startServer", ({ config, startIn, directory }, { onCleanup }) =>
      starter(startIn, config, async () => directory, onCleanup),
    )
    .extend("server", { scope: "file" }, ({ config, args, openSharedServer }) =>
      openSharedServer(config, args),
    )
    .extend("editor", { scope: "file" }, ({ server }) => server.token(EDITOR))
    .extend("viewer", { scope: "file" }, ({ server }) => server.token(VIEWER))
    .extend("noRole", { scope: "file" }, ({ server }) => server.token(NO_ROLE));

/** Tests with servers in the test's own process. */
export const test = testsWith(startServer);
export const it = test;

/** Creates a directory, and removes it at the end. */
async function ownDirectory(onCleanup: OnCleanup): Promise<string> {
  const { path, remove } = await temporaryDirectory();
  onCleanup(remove);
  return path;
}

/** Starts servers in separate directories, and stops and removes them at the end. */
function opener<S extends Server>(
  start: StartServer<S>,
  defaultConfig: object,
  onCleanup: OnCleanup,
): ServerStarter<S> {
  const directories: TemporaryDirectory[] = [];
  const open = async (): Promise<string> => {
    const directory = await temporaryDirectory();
    directories.push(directory);
    return directory.path;
  };
  return starter(start, defaultConfig, open, (stop) =>
    onCleanup(async () => {
      await stop();
      await Promise.all(directories.map(({ remove }) => remove()));
    }),
  );
}

/** Starts servers, and stops them at the end, including those that are still starting. */
function starter<S extends Server>(
  start: StartServer<S>,
  defaultConfig: object,
  directoryOfNext: () => Promise<string>,
  onCleanup: OnCleanup,
): ServerStarter<S> {
  const starts: Promise<S>[] = [];
  onCleanup(async () => {
    const started = await Promise.allSettled(starts);
    await Promise.all(started.map((start) => start.status === "fulfilled" && start.value.stop()));
  });
  return async (config = defaultConfig, args = []) => {
    const starting = start(await directoryOfNext(), config, args);
    starts.push(starting);
    return starting;
  };
}
