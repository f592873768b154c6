import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { loadConfig } from "../../src/server/config/config.js";
import { packagePath } from "../support/package-path.js";
import { testDirectory } from "../support/test-directory.js";

const CLIENTS = packagePath("test/clients");
const require = createRequire(join(CLIENTS, "package.json"));
const FOLDER = "deploy/kubernetes";
/** Files that are not resources. */
const OTHERS = ["kustomization.yaml", "waybill.yaml"];

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
}
interface Kustomization {
  readonly resources: readonly string[];
  readonly replicas?: readonly { readonly count: number }[];
}

const read = (...path: string[]): string => readFileSync(packagePath(join(FOLDER, ...path)), "utf8");
const filesOf = (folder: string): string[] =>
  readdirSync(packagePath(join(FOLDER, folder))).filter((file) => !OTHERS.includes(file));
const resources = ["one-machine", "cluster"].flatMap((folder) =>
  filesOf(folder).flatMap((file) =>
    parseAllDocuments(read(folder, file)).map((document): Resource => document.toJS()),
  ),
);

/** Module with a kind's schema, from Kubernetes' OpenAPI description, or the Prometheus operator's. */
const moduleOf = ({ apiVersion, kind }: Resource): string =>
  apiVersion.startsWith("monitoring.coreos.com/")
    ? `@kubernetes-models/prometheus-operator/${apiVersion}/${kind}`
    : `kubernetes-models/${apiVersion}/${kind}`;

describe.each(resources.map((resource) => [resource.kind, resource] as const))("%s", (kind, resource) => {
  test("matches its schema", () => {
    const { [kind]: Model } = require(moduleOf(resource)) as Record<
      string,
      new (
        resource: Resource,
      ) => { validate(): void }
    >;
    if (Model === undefined) throw new Error(`there is no ${kind}`);
    new Model(resource).validate();
  });
});

test("the resources have no unknown fields", async () => {
  // Validation accepts unknown fields. The compiler does not.
  const path = await testDirectory();
  symlinkSync(join(CLIENTS, "node_modules"), join(path, "node_modules"));
  const file = join(path, "resources.ts");
  const text = resources.map(
    (resource) =>
      `({${JSON.stringify(resource).slice(1)}) satisfies import("${moduleOf(resource)}").I${resource.kind};`,
  );
  writeFileSync(file, text.join("\n"));
  const compiler = packagePath("node_modules/.bin/tsc");
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--types", ""];
  const { status, stdout } = spawnSync(compiler, [...options, file], { encoding: "utf8", cwd: path });
  expect([status, stdout]).toEqual([0, ""]);
});

describe.each([
  ["one-machine", 1],
  ["cluster", 2],
] as const)("deploy/kubernetes/%s", (folder, processes) => {
  const kustomization: Kustomization = parse(read(folder, "kustomization.yaml"));

  test("applies all its files", () => {
    const named = kustomization.resources.filter((file) => !file.startsWith("../"));
    expect(named.toSorted()).toEqual(filesOf(folder));
  });

  test("has a valid configuration, which accepts its processes as hosts", async () => {
    const { admin } = await loadConfig(packagePath(join(FOLDER, folder, "waybill.yaml")));
    expect(kustomization.replicas?.[0]?.count ?? 1).toBe(processes);
    expect(admin?.hosts).toEqual(
      Array.from({ length: processes }, (_, index) => `waybill-${index}.waybill-processes.waybill.svc`),
    );
  });
});
