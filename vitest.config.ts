import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.js";
import { memoryDirectory } from "./test/support/memory-directory.js";
import { PATIENCE_MS } from "./test/support/poll.js";

/** Specs that share a process, which saves one start per spec. They leave nothing behind in it. */
const UNITS = [
  "src/**/*.spec.ts",
  "packages/*/src/**/*.spec.ts",
  "console/src/**/*.spec.ts",
  "soak/**/*.spec.ts",
];
/**
 * Specs that would delay the shared ones, that need file descriptors which no other spec opens or closes, or that need
 * code which has never run.
 */
const ALONE = [
  "src/store/duckdb/duckdb-store.spec.ts",
  "src/server/operators/log-writer.spec.ts",
  "fuzz/**/*.spec.ts",
];

/**
 * Only hanging tests reach these timeouts, because a machine may be many times slower than another. Each is longer than
 * the timeouts within it.
 */
const timeouts = {
  testTimeout: 2.5 * PATIENCE_MS,
  hookTimeout: 2.5 * PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

/** Objects of loaded modules live long. In a small space for new objects, they would be copied again and again. */
const execArgv = ["--min-semi-space-size=16"];

/** Conditions of Node.js. Files of the condition `module` are meant for bundlers, and Node.js cannot load all of them. */
const NODE_CONDITIONS = defaultServerConditions.filter((condition) => condition !== "module");
/** Specs run on the sources of workspaces, which need no build. */
const ssr = { resolve: { conditions: ["@waybill/source", ...NODE_CONDITIONS] } };

// Inherited by workers and all programs that they start.
const directory = memoryDirectory();
if (directory !== undefined) process.env.TMPDIR ??= directory;

export default defineConfig({
  test: {
    // For two cores: tests often wait, and their servers and clients are processes of their own.
    maxWorkers: 4,
    reporters: ["default", "./test/support/run-summary.ts"],
    sequence: { sequencer: LongestFirst },
    // Starts only the servers that specs use.
    globalSetup: ["test/support/cluster/shared-servers-setup.ts"],
    projects: [
      {
        ssr,
        test: {
          name: "servers",
          include: ["test/**/*.spec.ts"],
          runner: "./test/support/spec-runner.ts",
          isolate: false,
          // Node.js loads the compiled server, which specs start in their own process.
          server: { deps: { external: [/\/dist\//] } },
          execArgv,
          ...timeouts,
        },
      },
      {
        ssr,
        test: {
          name: "alone",
          include: ALONE,
          runner: "./test/support/spec-runner.ts",
          execArgv,
          ...timeouts,
        },
      },
      {
        ssr,
        test: {
          name: "units",
          include: UNITS,
          exclude: [...ALONE, "**/node_modules/**"],
          isolate: false,
          execArgv,
          ...timeouts,
        },
      },
    ],
  },
});
