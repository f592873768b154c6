import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.js";

/** Specs that share a process with others, which saves each the start of its own. They leave nothing behind in it. */
const UNITS = ["src/**/*.spec.ts", "console/src/**/*.spec.ts", "soak/**/*.spec.ts"];
/** Specs that take long beside them. */
const ENGINE = "src/store/duckdb/duckdb-store.spec.ts";

const timeouts = { testTimeout: 60_000, hookTimeout: 120_000 };

export default defineConfig({
  test: {
    // Two cores: servers and clients of a test are processes of their own.
    maxWorkers: 2,
    reporters: ["default", "./test/support/run-summary.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "servers",
          include: [ENGINE, "fuzz/**/*.spec.ts", "test/**/*.spec.ts"],
          // Starts nothing but what specs ask for.
          globalSetup: ["test/support/cluster/shared-servers-setup.ts"],
          runner: "./test/support/needs.ts",
          ...timeouts,
        },
      },
      {
        test: {
          name: "units",
          include: UNITS,
          exclude: [ENGINE, "**/node_modules/**"],
          isolate: false,
          ...timeouts,
        },
      },
    ],
  },
});
