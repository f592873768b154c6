import { request as forward } from "node:http";
import { describe, expect, onTestFinished } from "vitest";
import { loopbackServer } from "../../src/http/testing/loopback-server.js";
import { test } from "../support/browser/console.js";
import { signIn } from "../support/browser/sign-in.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { BASE_CONFIG, PROJECT, VIEWER } from "../support/servers/project.js";

test.override("traffic", { days: 7, messages: 500 });

describe("the page's content security policy", () => {
  test("allows everything that the page uses", async ({ console, viewer }) => {
    const page = await console.signedIn(viewer);
    await page.getByText(PROJECT.id).first().waitFor();
    await untilSettled(page);
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
  ])("blocks %s", async ([_, attempt], { console, newPage, problems }) => {
    const page = await newPage();
    await page.goto(console.url);
    // Some blocked actions throw errors.
    await page.evaluate(attempt).catch(() => {});
    await expect.poll(() => problems.some((problem) => problem.startsWith("policy: "))).toBe(true);
    expect(await page.evaluate(() => "ran" in window)).toBe(false);
    problems.length = 0;
  });

  test("blocks framing", async ({ console, newPage, problems }) => {
    const page = await newPage();
    await page.setContent(`<iframe src="${console.url}"></iframe>`);
    await expect.poll(() => problems.join()).toContain("frame-ancestors");
    problems.length = 0;
  });
});

test("the console works below a path prefix of a proxy", async ({ openServer, newPage }) => {
  const proxy = await loopbackServer((incoming, response) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith("/below/")) return response.writeHead(404).end();
    const target = new URL(url.slice("/below".length), proxied.messagingDataUrl);
    const onwards = forward(target, { method, headers: { ...headers, host: target.host } }, (result) => {
      response.writeHead(result.statusCode ?? 502, result.headers);
      result.pipe(response);
    });
    return incoming.pipe(onwards);
  });
  onTestFinished(proxy.close);
  const base = `${proxy.origin}/below`;
  const proxied = await openServer({ ...BASE_CONFIG, messagingDataUrl: base });

  const page = await newPage();
  await page.goto(`${base}/console?project=${PROJECT.id}`);
  await signIn(page, await proxied.token(VIEWER));
  await page.getByText(PROJECT.id).first().waitFor();
  await untilSettled(page);
  expect(page.url()).toMatch(new RegExp(`^${base}/console/\\?`));
});
