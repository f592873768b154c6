import type { Page, Request } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { dayOfJson } from "../../src/model/day.js";
import { violationsOf } from "../support/browser/axe.js";
import { test as serving } from "../support/browser/console.js";
import { servePage } from "../support/browser/page-server.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";
import { TODAY } from "../support/today.js";

const APP = `app=${encodeURIComponent(ANDROID_APP)}`;
const YESTERDAY = TODAY - 1;

const test = serving
  /** A link to a view. */
  .extend("link", { scope: "file" }, async ({ server, editor }) => {
    const call = jsonCalls(server.messagingDataUrl, editor);
    const view = { displayName: "Week on the wiki", query: `${APP}&days=7` };
    const { name } = JSON.parse((await call("POST", `projects/${PROJECT.id}/views`, view)).text);
    const expireTime = new Date(Date.now() + 86_400_000).toISOString();
    const { token } = JSON.parse((await call("POST", `${name}:share`, { expireTime })).text);
    return `${server.messagingDataUrl}/console/embed#${token}`;
  });

/** Waits until the shared view has figures. */
const figures = (page: Page | ReturnType<Page["frameLocator"]>) =>
  page.getByRole("slider", { name: "Delivered share, by day" }).waitFor();

describe("a shared view in a browser", () => {
  test("shows figures and the chart without sign-in, and its secret is in no URL and no Referer", async ({
    newPage,
    link,
    truth,
  }) => {
    const page = await newPage();
    const requests: Request[] = [];
    page.on("request", (request) => requests.push(request));
    await page.goto(link);
    await page.getByRole("heading", { name: "Week on the wiki" }).waitFor();
    await figures(page);
    const week = truth.filter(({ date }) => dayOfJson(date) > YESTERDAY - 7);
    const accepted = week.reduce((sum, { data }) => sum + Number(data.countMessagesAccepted), 0);
    await page.getByText(accepted.toLocaleString("en"), { exact: true }).waitFor();
    expect(await page.getByRole("link").count()).toBe(0);
    const secret = link.slice(link.indexOf("#") + 1);
    for (const request of requests) {
      if (request.url() !== link) expect(request.url()).not.toContain(secret);
      expect(request.headers().referer ?? "").toBe("");
    }
    expect(requests.some((request) => request.headers().authorization === `Bearer ${secret}`)).toBe(true);
  });

  test("can be framed by another page, unlike the console", async ({ newPage, link, console }) => {
    const page = await newPage();
    const wiki = await servePage("");
    onTestFinished(() => wiki.close());
    await page.goto(wiki.origin);
    await page.setContent(`<iframe src="${link}" width="900" height="700"></iframe>`);
    await figures(page.frameLocator("iframe"));
    const response = await page.request.get(console.url);
    expect(response.headers()["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(response.headers()["x-frame-options"]).toBe("DENY");
  });

  test("explains that a link is no longer valid", async ({ console, newPage, problems }) => {
    const page = await newPage();
    await page.goto(`${console.url}embed#altered`);
    await page.getByText("This link is not valid, or no longer.").waitFor();
    problems.length = 0;
  });

  test.for(["light", "dark"] as const)(
    "passes axe at any width in %s colors, and fits",
    async (colorScheme, { newPage, link }) => {
      const page = await newPage({ colorScheme });
      await page.goto(link);
      await figures(page);
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await violationsOf(page)).toEqual([]);
      }
    },
  );

  test("is shared and unshared in the console, with the keyboard", async ({
    console,
    editor,
    newPage,
    problems,
  }) => {
    const page = await console.signedIn(editor, `?project=${PROJECT.id}&${APP}`);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Views", exact: true }).press("Enter");
    await dialog.getByRole("button", { name: "Save this view" }).press("Enter");
    await dialog.getByRole("textbox", { name: "Name" }).fill("Shared");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Share Shared", exact: true }).press("Enter");
    const days = dialog.getByRole("textbox", { name: "Days until the link expires" });
    await days.fill("91");
    expect(await dialog.getByRole("button", { name: "Create a link" }).isDisabled()).toBe(true);
    await days.fill("90");
    await page.keyboard.press("Enter");
    const link = (await dialog.locator("code").textContent()) ?? "";
    const shared = await newPage();
    await shared.goto(link);
    await figures(shared);
    await dialog.getByRole("button", { name: "Done" }).press("Enter");
    await dialog.getByRole("button", { name: "Stop sharing Shared" }).waitFor();
    await dialog.getByRole("button", { name: "Stop sharing Shared" }).press("Enter");
    await dialog.getByRole("button", { name: "Stop sharing", exact: true }).press("Enter");
    await dialog.getByText("Stopped sharing Shared.").waitFor();
    await dialog.getByRole("button", { name: "Stop sharing Shared" }).waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    const again = await newPage();
    await again.goto(link);
    await again.getByText("This link is not valid, or no longer.").waitFor();
    problems.length = 0;
  });
});
