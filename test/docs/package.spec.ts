import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { linkTargets } from "../support/markdown.js";
import { packagePath } from "../support/package-path.js";

const [{ files = [] } = {}] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: packagePath("."),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }),
) as { readonly files: readonly { readonly path: string }[] }[];
const packed = files.map(({ path }) => path);

it("the package contains the docs site", () => {
  expect(packed).toEqual(
    expect.arrayContaining(["docs-dist/index.html", "docs-dist/start/getting-started.html"]),
  );
});

it.each(packed.filter((path) => /^[^/]*\.md$|^docs\/.*\.md$/.test(path)))(
  "the package contains the targets of all links in %s",
  (page) => {
    const missing = linkTargets(readFileSync(packagePath(page), "utf8")).filter((target) => {
      const [path = ""] = target.split("#");
      if (path === "" || /^[a-z]+:/.test(path)) return false;
      const linked = posix.join(posix.dirname(page), path);
      return !packed.some((name) => name === linked || name.startsWith(`${linked.replace(/\/$/, "")}/`));
    });
    expect(missing).toEqual([]);
  },
);
