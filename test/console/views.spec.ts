import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { violationsOf } from "../support/browser/axe.js";
import { type PageOptions, test as serving, urlParameters } from "../support/browser/console.js";
import { copiedText } from "../support/browser/watched-page.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";

const APP = `app=${encodeURIComponent(ANDROID_APP)}`;

const test = serving
  .extend("open", ({ console }) => async (token: string, view: string, options?: PageOptions) => {
    const page = await console.signedIn(token, `?project=${PROJECT.id}&${APP}${view}`, options);
    await page.getByRole("button", { name: "Views", exact: true }).click();
    return page;
  })
  /** Saves a view until the test ends. */
  .extend("create", ({ server, editor }, { onCleanup }) => {
    const call = jsonCalls(server.messagingDataUrl, editor);
    const names: string[] = [];
    onCleanup(async () => {
      for (const name of names) await call("DELETE", name);
    });
    return async (displayName: string, query: string): Promise<void> => {
      const { status, text } = await call("POST", `projects/${PROJECT.id}/views`, { displayName, query });
      expect(status).toBe(200);
      names.push(JSON.parse(text).name);
    };
  });

/** The name field in the dialogs to save and rename a view. */
const nameOf = (page: Page) => page.getByRole("dialog").getByRole("textbox", { name: "Name" });

const list = (page: Page) => page.getByRole("dialog", { name: "Saved views" });

describe("saved views in the console", () => {
  test("can be saved, opened, copied, renamed and deleted with the keyboard", async ({ open, editor }) => {
    const page = await open(editor, "&tab=labels&days=7", {
      permissions: ["clipboard-write"],
    });
    const press = async (name: string): Promise<void> => {
      await page.getByRole("dialog").getByRole("button", { name, exact: true }).press("Enter");
    };
    await list(page).getByText("No saved views.").waitFor();
    await press("Save this view");
    await nameOf(page).waitFor();
    await page.keyboard.type("Week of labels");
    await page.keyboard.press("Enter");
    await list(page).getByText("Saved Week of labels.").waitFor();
    const saved = list(page).getByRole("link", { name: "Week of labels" });
    expect(await saved.getAttribute("aria-current")).toBe("page");

    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByRole("button", { name: "Views", exact: true }).press("Enter");
    await saved.press("Enter");
    await list(page).waitFor({ state: "detached" });
    await page.getByRole("table").first().waitFor();
    expect(new URL(page.url()).search).toBe(`?project=${PROJECT.id}&${APP}&tab=labels&days=7`);

    await page.getByRole("button", { name: "Views", exact: true }).press("Enter");
    await press("Copy link of Week of labels");
    await list(page).getByText("Link copied").waitFor();
    expect(await copiedText(page)).toBe(page.url());

    await press("Rename Week of labels");
    await nameOf(page).fill("Labels");
    await page.keyboard.press("Enter");
    await list(page).getByText("Renamed Week of labels to Labels.").waitFor();
    await press("Delete Labels");
    await press("Delete");
    await list(page).getByText("Deleted Labels.").waitFor();
    await list(page).getByText("No saved views.").waitFor();
  });

  test("have different names", async ({ open, create, editor }) => {
    await create("Taken", `${APP}&tab=entries`);
    const page = await open(editor, "");
    await list(page).getByRole("button", { name: "Save this view" }).click();
    await nameOf(page).fill("Taken");
    await page.getByText("Another view has this name.").waitFor();
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
  });

  test("can be opened, and not changed, by a viewer", async ({ open, create, viewer }) => {
    await create("Entries", `${APP}&tab=entries`);
    const page = await open(viewer, "");
    await list(page).getByRole("link", { name: "Entries" }).waitFor();
    await list(page).getByRole("button", { name: "Rename Entries" }).waitFor({ state: "detached" });
    const buttons = await list(page).getByRole("button").allTextContents();
    expect(new Set(buttons)).toEqual(new Set(["Copy link", "Close"]));
    await list(page).getByRole("link", { name: "Entries" }).click();
    await page.getByRole("row").nth(1).waitFor();
    expect(await urlParameters(page, "tab")).toEqual(["entries"]);
  });

  test.for(["light", "dark"] as const)(
    "pass axe at any width in %s colors, and fit",
    async (colorScheme, { open, create, editor }) => {
      await create("x".repeat(100), `${APP}&tab=labels&label=promo`);
      const page = await open(editor, "", { colorScheme });
      await list(page).getByRole("link").first().waitFor();
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 });
        expect(await violationsOf(page)).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
      }
    },
  );
});
