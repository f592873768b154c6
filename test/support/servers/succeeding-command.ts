import { expect } from "vitest";
import { runInProcess } from "../../../src/cli/testing/run-in-process.js";

/** Returns a function that runs a command with a service and a token. The command must succeed, without warnings. */
export const succeeding =
  (command: string, url: string, token: string) =>
  async (...args: readonly string[]): Promise<string> => {
    const target = ["--server", url, "--token", token];
    const { code, stdout, stderr } = await runInProcess([command, ...args, ...target]);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
