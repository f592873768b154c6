import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { build, type Rollup } from "vite";
import { describe, expect } from "vitest";
import { sharedPackages } from "../support/cluster/shared-servers.js";
import { accepted } from "../support/data/delivery-data.js";
import { ndjson } from "../support/data/import.js";
import { test as serving } from "../support/servers/fixtures.js";
import { IOS_APP, PROJECT } from "../support/servers/project.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

const test = serving
  /** Folder of the installed client. */
  .extend("client", { scope: "file" }, async () =>
    join((await sharedPackages()).clientProject, "node_modules", "@waybill", "client"),
  )
  .extend("file", ({ sharedDirectory }) => async (name: string, content: string): Promise<string> => {
    const path = join(sharedDirectory, name);
    await writeFile(path, content);
    return path;
  })
  .extend("given", ({ server, editor }) => () => ({
    integrityUrl: server.integrityUrl,
    messagingDataUrl: server.messagingDataUrl,
    token: editor,
    app: { project: PROJECT.id, app: IOS_APP },
    events: ndjson([1, 2].map(() => accepted("app", "2025-03-03T20:00:00Z"))),
  }));

test.beforeAll(async ({ client, sharedDirectory }) => {
  const packages = join(sharedDirectory, "node_modules");
  await mkdir(join(packages, "@waybill"), { recursive: true });
  await symlink(client, join(packages, "@waybill", "client"));
  await symlink(
    join((await sharedPackages()).serverProject, "node_modules", "waybill"),
    join(packages, "waybill"),
  );
  await writeFile(join(sharedDirectory, "package.json"), '{"type":"module"}');
});

const PROGRAM = `
const client = new WaybillClient({ integrityUrl, messagingDataUrl, token });
const { tokenTtl } = await client.getAppAttestConfig(app);
const failure = await client.getAppAttestConfig({ ...app, app: "none" }).catch((error) => error);
const imported = await client.importEvents({ project: app.project, events: [new TextEncoder().encode(events)] });
let entries = 0;
for await (const _ of client.listDeliveryData({ project: app.project, app: "none" })) entries++;
return [tokenTtl, failure instanceof WaybillError, failure.reason, imported.importedCount, entries];
`;
const RESULT = ["3600s", true, "RESOURCE_NOT_FOUND", 2, 0];

describe("@waybill/client", () => {
  test("has only one module that can be imported", async ({ given, file }) => {
    const program = `
      import { WaybillClient, WaybillError } from "@waybill/client";
      const { integrityUrl, messagingDataUrl, token, app, events } = ${JSON.stringify(given())};
      const inner = await import("@waybill/client/dist/index.js").catch(({ code }) => code);
      const main = await import("waybill").catch(({ code }) => code);
      const result = await (async () => {${PROGRAM}})();
      console.log(JSON.stringify([...result, inner, main]));`;
    const { stdout } = await run(process.execPath, [await file("program.js", program)]);
    const hidden = "ERR_PACKAGE_PATH_NOT_EXPORTED";
    expect(JSON.parse(stdout)).toEqual([...RESULT, hidden, hidden]);
  });

  test("uses only browser APIs", async ({ client, sharedDirectory, file, given }) => {
    const entry = await file("browser.js", 'export * from "@waybill/client";');
    const { output } = (await build({
      root: sharedDirectory,
      configFile: false,
      logLevel: "silent",
      build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "waybill" } },
    }).then((built) => (Array.isArray(built) ? built[0] : built))) as Rollup.RollupOutput;
    const [{ code, imports, modules }] = output;
    expect(imports).toEqual([]);
    const installed = await realpath(client);
    const folders = Object.keys(modules)
      .filter((module) => module !== entry)
      .map((module) => relative(installed, module).split("/").slice(0, -1).join("/"));
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => !/^dist(\/|$)/.test(folder))).toEqual([]);

    const browser = {
      fetch,
      Headers,
      URL,
      AbortController,
      AbortSignal,
      setTimeout,
      clearTimeout,
      TextEncoder,
    };
    const context = createContext({ ...browser, given: given() });
    const program = `(async ({ integrityUrl, messagingDataUrl, token, app, events }, { WaybillClient, WaybillError }) => {${PROGRAM}})`;
    const result: unknown = await runInContext(`${code}\n${program}(given, waybill)`, context);
    expect(JSON.parse(JSON.stringify(result))).toEqual(RESULT);
  });

  test.for([
    ["a browser", "bundler", ["es2023", "dom", "dom.iterable", "dom.asynciterable"]],
    ["Node.js", "nodenext", ["es2023"]],
  ] as const)("has types that programs in %s can use", async ([_, module, lib], { sharedDirectory }) => {
    const folder = join(sharedDirectory, module);
    await mkdir(folder);
    const types = module === "nodenext" ? ["node"] : [];
    const options = {
      module: module === "bundler" ? "esnext" : module,
      moduleResolution: module,
      target: "es2023",
      lib,
      types,
      typeRoots: [join(ROOT, "node_modules", "@types")],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    await writeFile(join(folder, "program.ts"), TYPED_PROGRAM);
    const tsc = join(ROOT, "node_modules", ".bin", "tsc");
    const { stdout } = await run(tsc, ["-p", folder]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  });

  test("type-checks the programs in its documentation", async ({ sharedDirectory }) => {
    const page = await readFile(join(ROOT, "docs", "guides", "typescript-client.md"), "utf8");
    const programs = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, program = ""]) => program);
    expect(programs.length).toBeGreaterThan(3);
    expect(await typeErrorsIn(programs, sharedDirectory, "documentation")).toBe("");
  });

  test("type-checks the examples in its doc comments", async ({ client, sharedDirectory }) => {
    const folder = join(client, "dist");
    const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".d.ts"));
    const sources = await Promise.all(files.map((path) => readFile(join(folder, path), "utf8")));
    const programs = sources.flatMap(examplesIn);
    expect(programs.length).toBeGreaterThan(10);
    expect(await typeErrorsIn(programs, sharedDirectory, "examples")).toBe("");
  });
});

/** The programs of all `@example` tags. */
function examplesIn(source: string): string[] {
  return [...source.matchAll(/^ *\* @example\n((?: *\* [^@].*\n)+)/gm)].map(([, lines = ""]) =>
    lines.replace(/^ *\* /gm, ""),
  );
}

/** Compiles programs that need neither import the client nor declare `client`. @returns the compiler's errors. */
async function typeErrorsIn(programs: readonly string[], directory: string, name: string): Promise<string> {
  const folder = join(directory, name);
  await mkdir(folder);
  const options = {
    module: "nodenext",
    target: "es2023",
    types: ["node"],
    typeRoots: [join(ROOT, "node_modules", "@types")],
    strict: true,
    noEmit: true,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  const imports = 'import { WaybillClient, WaybillError } from "@waybill/client";\n';
  const declaration = "declare const client: WaybillClient;\n";
  for (const [index, program] of programs.entries()) {
    const preamble = imports + (program.includes("const client =") ? "" : declaration);
    const text = program.includes('from "@waybill/client"') ? program : preamble + program;
    await writeFile(join(folder, `program-${index}.ts`), text);
  }
  const tsc = join(ROOT, "node_modules", ".bin", "tsc");
  const { stdout } = await run(tsc, ["-p", folder]).catch((error: { stdout: string }) => error);
  return stdout;
}

const TYPED_PROGRAM = `
import { type AndroidDeliveryDataJson, WaybillClient, WaybillError } from "@waybill/client";

const client = new WaybillClient({ messagingDataUrl: "http://localhost:8081", token: async () => "token" });
const entries: AndroidDeliveryDataJson[] = [];
for await (const entry of client.listDeliveryData({ project: "p", app: "a", filter: "x", signal: AbortSignal.timeout(1) })) {
  const count: string | undefined = entry.data?.countMessagesAccepted;
  entries.push(entry);
  if (count === "1") break;
}
for await (const { nextPageToken } of client.listDeliveryData({ parent: "p" }).pages()) {
  const token: string | undefined = nextPageToken;
}
try {
  const config = await client.getAppAttestConfig({ name: "projects/p/apps/a/appAttestConfig" });
  const appAttestConfig = { ...config, tokenTtl: "7200s" };
  const changed: typeof config = await client.updateAppAttestConfig({ appAttestConfig, updateMask: "tokenTtl" });
} catch (error) {
  if (error instanceof WaybillError && error.code === "ABORTED") throw new Error(error.reason ?? error.message);
}
const projects: string[] = (await client.listProjects().toArray()).map(({ projectId }) => projectId ?? "");
for await (const { appId } of client.listApps({ project: "p", pageSize: 1 })) projects.push(appId ?? "");
const { androidApps, nextPageToken } = await client.listAndroidApps({ project: "p" }).readPage("token");
const year: number | undefined = androidApps?.[0]?.lastDate?.year;
const groups = await client.aggregateDeliveryData({ project: "p", app: "-", groupBy: ["DATE", "ANALYTICS_LABEL"] });
const delivered: string | undefined = groups[0]?.counts?.delivered;
await client.importEvents({ project: "p", events: [new Uint8Array()] });
await client.importEvents({ project: "p", events: new Blob([]).stream() });
// @ts-expect-error An app is of a project.
client.getAppAttestConfig({ app: "a" });
// @ts-expect-error There is no such dimension.
client.aggregateDeliveryData({ project: "p", app: "-", groupBy: ["OUTCOME"] });
// @ts-expect-error Counts are texts.
const wrong: number | undefined = entries[0]?.data?.countMessagesAccepted;
// @ts-expect-error There is no such code.
const never = (error: WaybillError) => error.code === "OKAY";
`;
