import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "src/**/*.spec.ts",
      "console/src/**/*.spec.ts",
      "fuzz/**/*.spec.ts",
      "soak/**/*.spec.ts",
      "test/**/*.spec.ts",
    ],
    // Starts nothing but what specs ask for.
    globalSetup: ["test/support/cluster/shared-servers.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: servers and clients of a test are processes of their own.
    maxWorkers: 2,
  },
});
