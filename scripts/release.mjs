// Prepares a release in the folder release/VERSION: both tarballs, the changelog section, an SBOM, checksums and provenance.
// Then sets the version and dates the changelog, unless --dry-run is passed. Publishes nothing: see RELEASING.md.
import { execFileSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isBuilt } from "./build-stamp.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const PACKAGES = [".", "packages/client"];
const UNRELEASED = "## [Unreleased]\n";

const { values, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean" }, out: { type: "string" } },
  allowPositionals: true,
});
const [version = manifestOf(".").version] = positionals;
if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) fail(`${version} is not a version, such as 0.2.0`);
const isDryRun = values["dry-run"] === true;
if (!isDryRun && run("git", "status", "--porcelain") !== "") fail("commit or remove your changes first");
const changes = changelogSection();

if (!isBuilt("dist")) run("node", "scripts/build.mjs");
if (!isBuilt("docs-dist")) run("node", "scripts/build-docs.mjs");
const out = values.out ?? join(root, "release", version);
mkdirSync(out, { recursive: true });
const began = new Date();
const files = [
  ...PACKAGES.map(pack),
  write("changelog.md", changes),
  write("sbom.cdx.json", json(softwareBill())),
];
write("provenance.json", json(provenance(files)));
write("SHA256SUMS", [...files, "provenance.json"].map((file) => `${digestOf(file)}  ${file}\n`).join(""));
if (!isDryRun) setVersion();
console.log(`${out}: ${[...files, "provenance.json", "SHA256SUMS"].join(", ")}`);

function fail(problem) {
  console.error(`release: ${problem}`);
  process.exit(1);
}

function run(command, ...args) {
  return execFileSync(command, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 }).trim();
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
}

function json(value) {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function write(name, text) {
  writeFileSync(join(out, name), text);
  return name;
}

function digestOf(name) {
  return createHash("sha256")
    .update(readFileSync(join(out, name)))
    .digest("hex");
}

/** Returns the changes since the last release. */
function changelogSection() {
  const [, section = ""] = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(UNRELEASED);
  const text = section.split(/^## /m)[0].trim();
  if (text === "") fail(`CHANGELOG.md has nothing below ${UNRELEASED.trim()}`);
  return `## [${version}] - ${new Date().toISOString().slice(0, 10)}\n\n${text}\n`;
}

/**
 * Packs a package with the new version from a copy of its files. Returns the tarball's name. Its manifest has no
 * development keys: npm would warn about scripts that an installation does not run.
 */
function pack(folder) {
  const source = join(root, folder);
  const npm = (cwd, ...args) =>
    JSON.parse(
      execFileSync("npm", ["pack", "--ignore-scripts", "--json", ...args], {
        cwd,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 2 ** 28,
      }),
    );
  const [{ files: packed }] = npm(source, "--dry-run");
  const copy = mkdtempSync(join(tmpdir(), "waybill-release-"));
  try {
    for (const { path } of packed) cpSync(join(source, path), join(copy, path));
    const { scripts, devDependencies, overrides, workspaces, ...manifest } = manifestOf(folder);
    writeFileSync(join(copy, "package.json"), json({ ...manifest, version }));
    return npm(copy, "--pack-destination", out)[0].filename;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** Describes all packages that the server contains or installs (CycloneDX 1.5), from the lock file. */
function softwareBill() {
  const licenses = ["dist/bundle/licenses.txt", "dist/console/licenses.md", "docs-dist/licenses.txt"].map(
    (file) => readFileSync(join(root, file), "utf8"),
  );
  // Bundled packages are development dependencies.
  const bundled = new Set(
    [...licenses.join("\n").matchAll(/^(?:## )?(@?[\w./-]+)(?: - [\d.]+ \(|: )/gm)].map(([, name]) => name),
  );
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const components = Object.entries(packages).flatMap(
    ([path, { version, license, integrity, dev, link }]) => {
      const [, parent, name] = /^(.*?)(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
      if (name === undefined || link || (dev && (parent !== "" || !bundled.has(name)))) return [];
      const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
      const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
      return [
        {
          ...{ type: "library", "bom-ref": purl, name, version, purl },
          ...(license !== undefined && { licenses: [{ expression: license }] }),
          hashes: [{ alg: "SHA-512", content }],
        },
      ];
    },
  );
  const purl = `pkg:npm/waybill@${version}`;
  const { license } = manifestOf(".");
  const component = {
    type: "application",
    "bom-ref": purl,
    name: "waybill",
    version,
    purl,
    licenses: [{ expression: license }],
  };
  return {
    ...{ bomFormat: "CycloneDX", specVersion: "1.5", serialNumber: `urn:uuid:${randomUUID()}`, version: 1 },
    metadata: { timestamp: began.toISOString(), component },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((each) => each.purl) }],
  };
}

/** Returns an in-toto statement (SLSA provenance v1) about the files. */
function provenance(names) {
  const sha256 = (path) =>
    createHash("sha256")
      .update(readFileSync(join(root, path)))
      .digest("hex");
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: names.map((name) => ({ name, digest: { sha256: digestOf(name) } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "https://docs.npmjs.com/cli/commands/npm-pack",
        externalParameters: { version },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: run("git", "rev-parse", "HEAD") } },
          { name: "package-lock.json", digest: { sha256: sha256("package-lock.json") } },
        ],
      },
      runDetails: {
        builder: { id: `node ${process.version}, ${process.platform}-${process.arch}` },
        metadata: { startedOn: began.toISOString(), finishedOn: new Date().toISOString() },
      },
    },
  };
}

/** Sets the version of both packages, and dates the changelog's section. */
function setVersion() {
  run(
    "npm",
    "version",
    "--workspaces",
    "--include-workspace-root",
    "--no-git-tag-version",
    "--allow-same-version",
    version,
  );
  const file = join(root, "CHANGELOG.md");
  const [before, after] = readFileSync(file, "utf8").split(UNRELEASED);
  const heading = changes.split("\n")[0];
  writeFileSync(file, `${before}${UNRELEASED}\n${heading}\n${after}`);
}
