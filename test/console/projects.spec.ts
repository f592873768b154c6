import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { test as serving, urlParameters } from "../support/browser/console.js";
import { signOut } from "../support/browser/sign-in.js";
import { poll } from "../support/poll.js";
import { VIEWER } from "../support/servers/project.js";

/** Projects with and without a display name. */
const PROJECTS = Array.from({ length: 3_000 }, (_, index) => ({
  id: `project-${String(index).padStart(4, "0")}`,
  number: String(500_000_000_000 + index),
  ...(index % 2 === 1 && { displayName: `Shop ${index}` }),
}));
const CONFIG = {
  projects: PROJECTS,
  access: [{ principal: VIEWER, projects: ["*"], role: "viewer" }],
};
let page: Page;

serving.override("traffic", false);
serving.override("config", CONFIG);
const test = serving.extend("open", ({ console, viewer }) => async (query = ""): Promise<void> => {
  page = await console.signedIn(viewer, query);
  await switcher().waitFor();
});

const switcher = () => page.getByRole("button", { name: /^Project/ });
const options = () => page.locator("[role=option]");
const search = () => page.getByRole("combobox", { name: "Search: Project" });
const chosen = () => urlParameters(page, "project");

/** Waits until the first options have these texts. */
async function listsFirst(texts: readonly string[]): Promise<void> {
  const first = async () => (await options().allInnerTexts()).slice(0, texts.length);
  expect(await poll(first, (shown) => shown.join() === texts.join())).toEqual(texts);
}

/** Chooses a project by keyboard. */
async function choose(text: string): Promise<void> {
  await switcher().press("Enter");
  await search().fill(text);
  // The projects, or their names, may still load.
  await options().first().filter({ hasText: text }).waitFor();
  await page.keyboard.press("Enter");
  await search().waitFor({ state: "detached" });
}

describe("the project switcher with 3,000 projects", () => {
  test("renders only a few of them, and finds the others by name, id or number", async ({ open }) => {
    await open();
    await switcher().click();
    await listsFirst(["project-0000\n500000000000"]);
    expect(await options().count()).toBeLessThanOrEqual(200);
    await page.getByText("2,800 more. Search to find them.").waitFor();
    await search().fill("SHOP 29");
    await listsFirst(["Shop 29\nproject-0029 · 500000000029", "Shop 291\nproject-0291 · 500000000291"]);
    await search().fill("project-1230");
    await listsFirst(["project-1230\n500000001230"]);
    await search().fill("500000002999");
    await listsFirst(["Shop 2999\nproject-2999 · 500000002999"]);
    await search().fill("nothing");
    await page.getByText("No matches.").waitFor();
  });

  test("can be used by keyboard", async ({ open }) => {
    await open();
    await switcher().press("Enter");
    await search().fill("Shop 12");
    await listsFirst(["Shop 121\nproject-0121 · 500000000121"]);
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageUp");
    await page.keyboard.press("ArrowDown");
    const active = page.locator("[role=option][data-active]");
    expect(await active.innerText()).toBe("Shop 123\nproject-0123 · 500000000123");
    expect(await search().getAttribute("aria-activedescendant")).toBe(await active.getAttribute("id"));
    await page.keyboard.press("Enter");
    await switcher().getByText("Shop 123", { exact: true }).waitFor();
    await expect.poll(chosen).toEqual(["project-0123"]);
    expect(await switcher().evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await search().waitFor({ state: "detached" });
  });

  test("lists the most recently used projects first, and opens the last one", async ({
    open,
    console,
    viewer,
  }) => {
    await open();
    for (const [name, id] of [
      ["project-2000", "project-2000"],
      ["Shop 2001", "project-2001"],
    ] as const) {
      await choose(name);
      await switcher().getByText(name).waitFor();
      // A project counts as used once its content is shown.
      await expect.poll(() => page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain(id);
    }
    await page.goto(console.url);
    await switcher().getByText("Shop 2001").waitFor();
    await expect.poll(chosen).toEqual(["project-2001"]);
    await switcher().click();
    const recent = ["Shop 2001\nproject-2001 · 500000002001", "project-2000\n500000002000"];
    await listsFirst(recent);
    await search().fill("20");
    await page.keyboard.press("Escape");

    await signOut(page);
    await page.getByLabel("Access token", { exact: true }).fill(viewer);
    await page.goto(console.url);
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
  });

  test("shows project ids while the registry does not respond, without a warning", async ({
    console,
    server,
    viewer,
    newPage,
    problems,
  }) => {
    page = await newPage();
    await page.route(`${server.registryUrl}/**`, (route) => route.abort("connectionrefused"));
    await page.goto(console.url);
    await page.getByLabel("Access token", { exact: true }).fill(viewer);
    await page.keyboard.press("Enter");
    await switcher().click();
    await search().fill("2999");
    await listsFirst(["project-2999\n500000002999"]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No entries yet" }).waitFor();
    await expect.poll(chosen).toEqual(["project-2999"]);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.waitForURL(/tab=integrity/);
    expect(await page.getByText(/may be out of date/).count()).toBe(0);
    problems.length = 0;
  });
});

test("the page lists project ids if its process has no registry address", async ({ openServer, newPage }) => {
  const server = await openServer(CONFIG, ["--only", "messaging-data"]);
  page = await newPage();
  await page.goto(`${server.messagingDataUrl}/console/`);
  await page.getByLabel("Access token", { exact: true }).fill(await server.token(VIEWER));
  await page.keyboard.press("Enter");
  await switcher().click();
  await search().fill("0001");
  await listsFirst(["project-0001\n500000000001"]);
});
