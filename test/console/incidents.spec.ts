import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { violationsOf } from "../support/browser/axe.js";
import { test as serving, urlParameters } from "../support/browser/console.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { ANDROID_APP, EDITOR, PROJECT } from "../support/servers/project.js";
import { ago } from "../support/today.js";

const FALLEN = "promo";
let page: Page;

serving.override("traffic", {
  messages: 12_000,
  labels: 14,
  faults: [{ label: FALLEN, from: ago(3), delivered: 0.1 }],
});
const test = serving.extend("open", ({ console }) => async (token: string, view = "", options = {}) => {
  page = await console.signedIn(token, `?project=${PROJECT.id}&tab=incidents${view}`, options);
  await page.getByRole("heading", { name: "Incidents", exact: true }).waitFor();
});

const item = (): Locator => page.getByRole("listitem").filter({ hasText: `${FALLEN} fell` });
const announced = (text: RegExp): Promise<void> => page.getByRole("status").getByText(text).waitFor();
const button = (name: string): Locator =>
  item().getByRole("button", { name: new RegExp(`^${name}: ${FALLEN} fell`) });

describe("a project's incidents", () => {
  test("can be noted, acknowledged and reopened by keyboard", async ({ open, editor }) => {
    await open(editor);
    await item().getByText("Add a note", { exact: true }).waitFor();
    await button("Add a note").press("Enter");
    const note = page.getByRole("dialog").getByRole("textbox");
    await note.waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
    await page.keyboard.type("Release 7.2\nrolled back");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await announced(/^Changed the note: /);
    await item().getByText("Release 7.2").waitFor();
    await item().getByText(`by ${EDITOR}`).waitFor();

    await button("Acknowledge").press("Enter");
    await announced(/^Acknowledged: /);
    await item().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Acknowledged", exact: true }).press("Enter");
    await item().getByText(`Acknowledged by ${EDITOR}`).waitFor();
    expect(await urlParameters(page, "state")).toEqual(["acknowledged"]);

    await button("Reopen").press("Enter");
    await announced(/^Reopened: /);
    await page.getByRole("button", { name: "Open", exact: true }).press("Enter");
    await button("Edit the note").press("Enter");
    await page.getByRole("dialog").getByRole("textbox").fill("");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).press("Enter");
    await item().getByText("Add a note", { exact: true }).waitFor();
  });

  test("lead to their view, and are listed for viewers without buttons", async ({ open, viewer }) => {
    await open(viewer);
    await item().getByRole("link").waitFor();
    await untilSettled(page);
    expect(await item().getByRole("button").count()).toBe(0);
    await item().getByRole("link").click();
    await page.getByRole("region", { name: "Key figures" }).waitFor();
    expect(await urlParameters(page, "app", "label")).toEqual([ANDROID_APP, FALLEN]);
  });

  test("explain that none is acknowledged", async ({ open, viewer }) => {
    await open(viewer, "&state=acknowledged");
    await page.getByText("No acknowledged incidents").waitFor();
  });
});

describe.each(["light", "dark"] as const)("in %s colors", (colorScheme) => {
  test("axe finds nothing in the list and its dialog at any width, and nothing overflows the screen", async ({
    open,
    editor,
  }) => {
    await open(editor, "", { colorScheme });
    await button("Add a note").waitFor();
    for (const width of [360, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violationsOf(page)).toEqual([]);
    }
    await button("Add a note").click();
    await page.getByRole("dialog").getByRole("textbox").waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });
});
