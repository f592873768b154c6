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
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores: servers and clients of a test are processes of their own.
    maxWorkers: 2,
  },
});
