import { readdirSync, readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { test } from "../support/browser/console.js";
import { packagePath } from "../support/package-path.js";

const SITE = packagePath("docs-dist/");
const files = readdirSync(SITE, { recursive: true, encoding: "utf8" });
const pages = files.filter((name) => name.endsWith(".html") && name !== "404.html");
const read = (name: string): string => readFileSync(SITE + name, "utf8");
const idsOf = (html: string): Set<string> =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
const ids = new Map(pages.map((name) => [name, idsOf(read(name))]));

/** The file that a site address refers to. */
function fileOf(address: string): string {
  const path = decodeURI(address.slice("/docs/".length));
  if (path === "" || path.endsWith("/")) return `${path}index.html`;
  return files.includes(path) ? path : `${path}.html`;
}

describe("the docs site", () => {
  test("has every documentation page", () => {
    const sources = readdirSync(packagePath("docs"), { recursive: true, encoding: "utf8" });
    const names = sources
      .filter((name) => name.endsWith(".md"))
      .map((name) => name.replace(/\.md$/, ".html"));
    expect(pages).toEqual(expect.arrayContaining(names.map((name) => name.replace("README", "index"))));
  });

  test.for(pages)("has no broken link in %s", (name) => {
    const links = [...read(name).matchAll(/ (?:href|src|srcset)="([^"]+)"/g)].map(([, link = ""]) => link);
    const dead = links.filter((link) => {
      if (/^(https?|mailto|data):/.test(link)) return false;
      const [address = "", anchor] = link.split("#");
      const target =
        address === "" ? name : fileOf(new URL(address, `http://localhost/docs/${name}`).pathname);
      if (!files.includes(target)) return true;
      return anchor !== undefined && !ids.get(target)?.has(decodeURIComponent(anchor));
    });
    expect(dead).toEqual([]);
  });

  test("finds a page by its text, without violating the content security policy", async ({
    console,
    newPage,
  }) => {
    const page = await newPage();
    await page.goto(new URL("/docs/", console.url).href);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("usual range");
    await page.getByRole("option").first().click();
    await page.waitForURL(/\/docs\/\w+\/[\w-]+/);
    await page.getByRole("heading", { level: 1 }).waitFor();
  });

  test("lists the methods of both services", () => {
    const anchors = ids.get("reference/methods.html");
    expect(anchors).toContain("projectsandroidappsdeliverydatalist");
    expect(anchors).toContain("projectsappsappattestconfigpatch");
    expect(anchors).toContain("messageoutcomepercents");
  });
});
