import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect } from "vitest";
import { signIn, test } from "../support/browser/console.js";
import { openWatchedPage } from "../support/browser/watched-page.js";
import { BASE_CONFIG, PROJECT, VIEWER } from "../support/servers/project.js";

test.override("traffic", { days: 7, messages: 500 });

describe("the page's content security policy", () => {
  test("allows everything that the page uses", async ({ console, viewer }) => {
    const watched = await console.signedIn(viewer);
    await watched.page.getByText(PROJECT.id).first().waitFor();
    await watched.page.waitForLoadState("networkidle");
    expect(watched.problems()).toEqual([]);
    await watched.close();
  });

  test.for<[what: string, attempt: () => unknown]>([
    [
      "scripts in the page",
      () => document.head.append(Object.assign(document.createElement("script"), { text: "window.ran = 1" })),
    ],
    [
      "text that becomes HTML",
      () => Object.assign(document.body, { innerHTML: '<img src=x onerror="window.ran = 1">' }),
    ],
    [
      "scripts from other origins",
      () =>
        document.head.append(
          Object.assign(document.createElement("script"), { src: "https://evil.example/x.js" }),
        ),
    ],
    ["connections to other origins", () => fetch("https://evil.example/")],
    ["styles in the page", () => document.body.setAttribute("style", "color: red")],
    [
      "frames",
      () =>
        document.body.append(
          Object.assign(document.createElement("iframe"), { src: "https://evil.example/" }),
        ),
    ],
    [
      "another base URL",
      () =>
        document.head.append(
          Object.assign(document.createElement("base"), { href: "https://evil.example/" }),
        ),
    ],
  ])("blocks %s", async ([_, attempt], { console }) => {
    const watched = await console.newPage();
    await watched.page.goto(console.url);
    // Some blocked actions throw errors.
    await watched.page.evaluate(attempt).catch(() => {});
    await expect.poll(() => watched.problems().some((problem) => problem.startsWith("policy: "))).toBe(true);
    expect(await watched.page.evaluate(() => "ran" in window)).toBe(false);
    await watched.close();
  });

  test("blocks framing", async ({ console }) => {
    const watched = await console.newPage();
    await watched.page.setContent(`<iframe src="${console.url}"></iframe>`);
    await expect.poll(() => watched.problems().join()).toContain("frame-ancestors");
    await watched.close();
  });
});

test("the console works below a path prefix of a proxy", async ({ openServer, browser }) => {
  const proxy = createServer((incoming, response) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith("/below/")) return response.writeHead(404).end();
    const target = new URL(url.slice("/below".length), proxied.messagingDataUrl);
    const onwards = forward(target, { method, headers: { ...headers, host: target.host } }, (result) => {
      response.writeHead(result.statusCode ?? 502, result.headers);
      result.pipe(response);
    });
    return incoming.pipe(onwards);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const base = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/below`;
  const proxied = await openServer({ ...BASE_CONFIG, messagingDataUrl: base });

  const watched = await openWatchedPage(browser);
  await watched.page.goto(`${base}/console?project=${PROJECT.id}`);
  await signIn(watched.page, await proxied.token(VIEWER));
  await watched.page.getByText(PROJECT.id).first().waitFor();
  await watched.page.waitForLoadState("networkidle");
  expect(watched.page.url()).toMatch(new RegExp(`^${base}/console/\\?`));
  expect(watched.problems()).toEqual([]);

  await watched.close();
  proxy.closeAllConnections();
  proxy.close();
});
