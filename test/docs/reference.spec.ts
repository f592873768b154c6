import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { WaybillClient } from "@waybill/client";
import { expect, it } from "vitest";
import { packagePath } from "../support/package-path.js";

it("facts from the code are up to date in docs/reference", async () => {
  const script = packagePath("scripts/reference/generate.mjs");
  const { stderr } = await promisify(execFile)(process.execPath, [script, "--check"]).catch(
    (error: { readonly stderr: string }) => error,
  );
  expect(stderr).toBe("");
});

it("the tables of permissions have roles on all projects, and methods without an access token", async () => {
  const page = await readFile(packagePath("docs/reference/permissions.md"), "utf8");
  const scopes = "`platform` or `app-platform`";
  expect(page).toContain(
    `| \`DeleteProject\` | \`DELETE /v1/projects/*\` | ${scopes} | owner of all projects |`,
  );
  expect(page).toContain(`| \`UpdateProject\` | \`PATCH /v1beta1/projects/*\` | ${scopes} | owner |`);
  expect(page).toContain(":exchangeDebugToken` | no access token | none |");
});

it("the client's guide names each method of the client", async () => {
  const guide = await readFile(packagePath("docs/guides/typescript-client.md"), "utf8");
  const client = new WaybillClient({ integrityUrl: "http://localhost", token: "" });
  const methodsOf = (object: object): readonly string[] =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor");
  const parts = Object.values(client).filter((part) => typeof part === "object");
  const methods = [client, ...parts].flatMap(methodsOf);
  expect(methods.length).toBeGreaterThan(50);
  expect(methods.filter((name) => !new RegExp(`\\b${name}\\(`).test(guide))).toEqual([]);
});
