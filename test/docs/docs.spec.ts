import { existsSync, readdirSync, readFileSync } from "node:fs";
import { symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect } from "vitest";
import { parse } from "yaml";
import { sharedPackages } from "../support/cluster/shared-servers.js";
import type { InstalledPackages } from "../support/installed-packages.js";
import { anchorsOf, type CodeBlock, codeBlocks, examplesOf, linkTargets } from "../support/markdown.js";
import { poll } from "../support/poll.js";
import { test as serving } from "../support/servers/process-fixtures.js";
import { runScript } from "../support/servers/run-script.js";
import { type ServerProcess, startProcess } from "../support/servers/server-process.js";
// No day ends between two examples of a page.
import "../support/today.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const below = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));

/** The command, and all files that examples read, are from the installed package. */
const test = serving
  .extend("packages", { scope: "file" }, sharedPackages)
  .override("startIn", ({ packages }) => {
    const command = commandOf(packages);
    return (directory, config, args) => startProcess(directory, config, args, [], {}, command);
  });
const it = test;

/**
 * Number of examples on each page that run against the demo. A sentence between a command and its output disables the
 * example.
 */
const EXAMPLES_WITH_DEMO = {
  "README.md": 2,
  "docs/concepts/authentication.md": 3,
  "docs/guides/alert-on-incidents.md": 1,
  "docs/guides/attest-ios-apps.md": 2,
  "docs/guides/choose-a-client.md": 1,
  "docs/guides/debug-tokens.md": 1,
  "docs/guides/existing-clients.md": 5,
  "docs/guides/import-autopush.md": 2,
  "docs/guides/import-fcm-bigquery.md": 2,
  "docs/guides/import-other-logs.md": 1,
  "docs/guides/send-events.md": 2,
  "docs/guides/typescript-client.md": 1,
  "docs/guides/verify-app-attest.md": 3,
  "docs/reference/api.md": 5,
  "docs/reference/cli.md": 1,
  "docs/reference/errors.md": 1,
  "docs/reference/events.md": 2,
  "docs/reference/filters.md": 3,
  "docs/reference/grpc.md": 9,
  "docs/reference/http.md": 1,
  "docs/reference/percentages.md": 2,
  // Last, because they change configurations and incidents that other pages show.
  "docs/guides/app-attest-configs.md": 4,
  "docs/guides/annotations.md": 1,
  "docs/guides/targets.md": 1,
};
/** Number of examples on each page that shows how to start its own servers. */
const EXAMPLES_WITH_OWN_SERVERS = {
  "docs/guides/emulate-app-check.md": 1,
  "docs/guides/manage-projects.md": 4,
  "docs/guides/mirror-fcm.md": 1,
  "docs/guides/test-a-dashboard.md": 6,
  // Run by test/cluster/example.spec.ts.
  "docs/operate/cluster.md": 3,
  "docs/start/getting-started.md": 4,
};

describe("links", () => {
  const files = [...readdirSync(ROOT), ...below("docs")].filter((file) => file.endsWith(".md"));

  test.each(files)("in %s lead to existing targets", (file) => {
    const broken = linkTargets(read(file)).filter((target) => {
      if (/^[a-z]+:/.test(target)) return false;
      const [path = "", anchor] = target.split("#");
      const linked = path === "" ? join(ROOT, file) : resolve(ROOT, file, "..", path);
      return !existsSync(linked) || (anchor !== undefined && !anchorsOf(linked).has(anchor));
    });
    expect(broken).toEqual([]);
  });
});

describe("the documentation", () => {
  it("lists every dependency", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, object>;
    const page = read(pageOf("develop/dependencies"));
    const unlisted = Object.keys({ ...dependencies, ...devDependencies }).filter(
      (name) => !page.includes(`\`${name}\``),
    );
    expect(unlisted).toEqual([]);
  });

  it.each([
    "CONTRIBUTING.md",
    "docs/develop/architecture.md",
    "docs/develop/dependencies.md",
    "docs/develop/how-it-works.md",
  ])("refers only to existing files in %s", (file) => {
    const text = read(file).replace(/^```[\s\S]*?^```$/gm, "");
    const named = [...text.matchAll(/`((?:[\w@.-]+\/)+[\w.-]+\.(?:tsx?|mjs|sql|proto|css))`/g)];
    const absent = named
      .map(([, path = ""]) => path)
      .filter((path) => !["", "src"].some((folder) => existsSync(join(ROOT, folder, path))));
    expect(absent).toEqual([]);
  });

  it("quotes only messages of the sources in the pages for operators", () => {
    const files = below("src").filter((file) => file.endsWith(".ts"));
    const sources = files.map(read).join("\n");
    const pages = below("docs/operate").map((file) => read(file).replace(/^```[\s\S]*?^```$/gm, ""));
    const quotes = pages.flatMap((text) => [...text.matchAll(/`([a-z]+(?: [a-z]+){2,})`/g)]);
    const messages = quotes
      .map(([, quote = ""]) => quote)
      .filter((quote) => !/^(?:systemctl|waybill) /.test(quote));
    expect(messages.length).toBeGreaterThan(5);
    expect(messages.filter((message) => !sources.includes(message))).toEqual([]);
  });

  it("has runnable examples, and no page loses one by accident", () => {
    const pages = ["README.md", ...below("docs").filter((file) => file.endsWith(".md"))];
    const counts = pages.map((file) => [file, examplesOf(codeBlocks(read(file))).length] as const);
    expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual({
      ...EXAMPLES_WITH_DEMO,
      ...EXAMPLES_WITH_OWN_SERVERS,
    });
  });

  it("shows the example's map", () => {
    expect(read(pageOf("guides/import-other-logs"))).toContain(read("examples/import/gateway.yaml"));
  });
});

describe("documented commands print the documented output", () => {
  let server: ServerProcess;
  let packages: InstalledPackages;
  test.beforeAll(({ packages: installed }) => {
    packages = installed;
  });
  /** Address of the admin listener of a page's second server. */
  let secondAdmin = "";

  describe("while the demo is running", () => {
    test.beforeAll(async ({ openSharedServer }) => {
      server = await openSharedServer({}, ["--demo"]);
      await symlink(join(packageIn(packages), "examples"), join(dirname(server.dataDir), "examples"));
    });
    it.each(["console/", "docs/"])("serves /%s", async (path) => {
      expect((await fetch(new URL(path, `${server.messagingDataUrl}/`))).status).toBe(200);
    });
    for (const file of Object.keys(EXAMPLES_WITH_DEMO)) runAll(file);
  });

  describe.each([
    "guides/emulate-app-check",
    "guides/manage-projects",
    "guides/test-a-dashboard",
    "start/getting-started",
  ])("with the configuration in the page %s", (page) => {
    const file = pageOf(page);
    test.beforeAll(async ({ openSharedServer }) => {
      const config = codeBlocks(read(file)).find(({ language }) => language === "yaml");
      server = await openSharedServer(parse(config?.text ?? "") as object);
    });
    runAll(file);
  });

  describe("with the configuration in the mirror guide, and the demo as upstream", () => {
    const file = pageOf("guides/mirror-fcm");
    test.beforeAll(async ({ openSharedServer }) => {
      server = await openSharedServer({}, ["--demo"]);
      const [credentials] = codeBlocks(read(file));
      const exchange = `${server.integrityUrl}/oauth2/token`;
      await run(`${credentials?.text.trim()} --token-url ${exchange}`);
      const folder = dirname(server.dataDir);
      const config = codeBlocks(read(file)).find(({ language }) => language === "yaml");
      const text = (config?.text ?? "")
        .replace("http://127.0.0.1:8081", server.messagingDataUrl)
        .replace("./mirror-credentials.json", join(folder, "mirror-credentials.json"));
      const mirror = await openSharedServer(parse(text) as object);
      secondAdmin = mirror.adminUrl;
      await symlink(mirror.dataDir, join(folder, "mirror-data"));
    });
    runAll(file);
  });

  /**
   * Runs each command block that is directly followed by its output. Later blocks can use the variables of earlier
   * ones.
   */
  function runAll(file: string): void {
    const blocks = codeBlocks(read(file));
    const outputs = new Map(examplesOf(blocks).map(({ command, output }) => [command, output]));
    const setUp: string[] = [];
    for (const block of blocks) {
      if (block.language === "sh")
        setUp.push(...block.text.split("\n").filter((line) => /^(?:export )?[A-Z_]+=\$\(/.test(line)));
      const output = outputs.get(block);
      if (output === undefined) continue;
      const lines = [...setUp];
      it(`${file}: ${block.text.split("\n")[0]}`, async () => {
        const commands = block.language === "sh" ? block.text : node(block.text, packages);
        const expected = shownOf(output.text, output);
        const variables = await Promise.all(lines.map(variableOf));
        await poll(async () => shownOf(await run([...variables, commands].join("\n")), output), expected);
      });
    }
  }

  const variables = new Map<string, Promise<string>>();

  /** Runs a line that sets a variable, once for each server. @returns a command that sets it to the same value. */
  function variableOf(line: string): Promise<string> {
    const key = `${server.dataDir} ${line}`;
    const [name] = line.replace("export ", "").split("=");
    const known = variables.get(key) ?? run(`${line}\necho "export ${name}=$${name}"`);
    variables.set(key, known);
    return known;
  }

  function run(script: string): Promise<string> {
    const here = script
      .replaceAll("./bin/waybill", `node ${commandOf(packages)}`)
      // The Python interpreter for which Debian installs its packages.
      .replaceAll("python3 - <<", "/usr/bin/python3 - <<")
      .replaceAll("npx buf", join(ROOT, "node_modules", ".bin", "buf"))
      .replaceAll("127.0.0.1:8080", new URL(server.integrityUrl).host)
      .replaceAll("127.0.0.1:8081", new URL(server.messagingDataUrl).host)
      .replaceAll("127.0.0.1:9090", new URL(server.adminUrl).host)
      .replaceAll("http://127.0.0.1:9091", secondAdmin)
      .replace(/waybill (import|list)(?= )/g, `waybill $1 --server ${server.messagingDataUrl}`)
      .replace(/waybill (annotations|targets) (\w+)/g, `waybill $1 $2 --server ${server.messagingDataUrl}`)
      .replace(/waybill (access|apps|projects) (\w+)/g, `waybill $1 $2 --server ${server.registryUrl}`)
      .replace(/waybill clock (?=\w)/g, `waybill clock --admin ${server.adminUrl} `);
    return runScript(here, dirname(server.dataDir));
  }
});

const pageOf = (name: string): string => `docs/${name}.md`;

const packageIn = ({ serverProject }: InstalledPackages): string =>
  join(serverProject, "node_modules", "waybill");
const commandOf = (packages: InstalledPackages): string => join(packageIn(packages), "bin", "waybill");

/** Returns a shell command that runs a program in the directory where its client is installed. */
function node(program: string, { clientProject }: InstalledPackages): string {
  const [, scope] = /from "(@grpc|@waybill)\//.exec(program) ?? [];
  const folder = { "@grpc": ROOT, "@waybill": clientProject }[scope ?? ""] ?? join(ROOT, "test", "clients");
  return `cd ${folder}\nnode --input-type=module <<'END'\n${program}\nEND`;
}

/**
 * Returns a part of an output to compare: everything, or if it varies, JSON's keys only, and other text without generated
 * numbers and ids.
 */
function shownOf(text: string, { language, note }: CodeBlock): unknown {
  if (language !== "json")
    return note === "varies" ? text.trim().replaceAll(/[\da-f-]{12,}/g, "…") : text.trim();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return text;
  }
  return note === "varies" ? Object.keys(json as object) : json;
}
