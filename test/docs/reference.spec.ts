import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packagePath } from "../support/package-path.js";

it("the generated pages in docs/reference are up to date", async () => {
  const script = packagePath("scripts/reference/generate.mjs");
  const { stderr } = await promisify(execFile)(process.execPath, [script, "--check"]).catch(
    (error: { readonly stderr: string }) => error,
  );
  expect(stderr).toBe("");
});
