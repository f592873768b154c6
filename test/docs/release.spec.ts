import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packagePath } from "../support/package-path.js";
import { testDirectory } from "../support/test-directory.js";

const VERSION = "9.9.9";
const nameAndVersion = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `${name} ${version}`;
const TARBALLS = [`waybill-${VERSION}.tgz`, `waybill-client-${VERSION}.tgz`];

test("npm run release -- --dry-run makes all files of a release, and changes nothing else", async () => {
  const path = await testDirectory();
  const read = (name: string): string => readFileSync(join(path, name), "utf8");
  const manifest = readFileSync(packagePath("package.json"), "utf8");
  const args = ["scripts/release.mjs", VERSION, "--dry-run", "--out", path];
  execFileSync(process.execPath, args, { cwd: packagePath("."), stdio: "pipe" });
  expect(readFileSync(packagePath("package.json"), "utf8")).toBe(manifest);

  const others = ["SHA256SUMS", "changelog.md", "provenance.json", "sbom.cdx.json"];
  expect(readdirSync(path).toSorted()).toEqual([...others, ...TARBALLS].toSorted());
  // Fails if a checksum is wrong.
  execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: path, stdio: "pipe" });
  for (const tarball of TARBALLS) {
    const packed = execFileSync("tar", ["xzOf", tarball, "package/package.json"], {
      cwd: path,
      encoding: "utf8",
    });
    const published = JSON.parse(packed);
    expect(published).toMatchObject({ version: VERSION, dependencies: expect.any(Object) });
    expect(Object.keys(published)).not.toEqual(expect.arrayContaining(["scripts"]));
  }
  expect(read("changelog.md")).toMatch(/^## \[9\.9\.9\] - \d{4}-\d\d-\d\d\n\n\S/);

  const bill = JSON.parse(read("sbom.cdx.json"));
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "waybill", version: VERSION } },
  });
  const names = bill.components.map(({ name }: { name: string }) => name);
  // Bundled into the command, the console and the docs site.
  expect(names).toEqual(expect.arrayContaining(["pg", "react", "vue"]));
  expect(bill.components.map(nameAndVersion)).toEqual(expect.arrayContaining(installedPackages()));
  expect(names).not.toContain("vitest");

  const { subject } = JSON.parse(read("provenance.json"));
  const sums = read("SHA256SUMS");
  for (const { name, digest } of subject) expect(sums).toContain(`${digest.sha256}  ${name}\n`);
  expect(subject.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(TARBALLS));
});

/** Names and versions of all packages that an installation of the server contains. */
function installedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(packagePath("package-lock.json"), "utf8"));
  return Object.entries<{ version: string; dev?: boolean; link?: boolean }>(packages)
    .filter(([path, { dev, link }]) => path.includes("node_modules/") && !dev && !link)
    .map(([path, { version }]) => nameAndVersion({ name: path.replace(/^.*node_modules\//, ""), version }));
}
