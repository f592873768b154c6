import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { testDirectory } from "../../../test/support/test-directory.js";
import type { PlainRequest, PlainRoute } from "../../api/plain-route.js";
import { docsRoutes } from "./docs-routes.js";

let directory: string;
beforeEach(async () => {
  directory = `${await testDirectory()}/`;
  for (const name of ["index.html", "guides/send.html", "guides/send.html.br", "assets/a-1.js", "404.html"]) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), name);
  }
});

const request = { query: "" } as PlainRequest;
const find = (routes: readonly PlainRoute[], path: string) => routes.find((route) => route.path === path);

it("the docs site serves pages without .html, and their files", async () => {
  const routes = await docsRoutes(directory);
  expect(routes.map(({ path }) => path).sort()).toEqual([
    "/docs",
    "/docs/",
    "/docs/assets/a-1.js",
    "/docs/guides/send",
  ]);
  expect(await find(routes, "/docs/guides/send")?.respond(request)).toMatchObject({
    body: { bytes: Buffer.from("guides/send.html"), contentType: "text/html; charset=utf-8" },
    headers: { "cache-control": "no-cache", "x-frame-options": "DENY" },
  });
});

it("the docs site redirects /docs to /docs/", async () => {
  const routes = await docsRoutes(directory);
  expect(await find(routes, "/docs")?.respond(request)).toMatchObject({
    status: 308,
    headers: { location: "docs/" },
  });
});

it("the docs site has no routes if it has not been built", async () => {
  expect(await docsRoutes(join(directory, "none/"))).toEqual([]);
});
