import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { test as serving } from "../support/browser/console.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { send } from "../support/http/exchange.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";

const VIEW = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`;
const CHART = { name: "Delivered share, by day" };
const LISTED = `/v1beta1/projects/${PROJECT.id}/annotations`;

const test = serving.extend("open", ({ console }) => async (token: string) => {
  const page = await console.signedIn(token, VIEW);
  await page.getByRole("slider", CHART).waitFor();
  return page;
});

async function openDialog(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu: Delivered share" }).click();
  await page.getByRole("button", { name: "Annotations" }).click();
}

describe("annotations in the console", () => {
  test("can be added from the chart, are marked on their day, and can be deleted", async ({
    open,
    server,
    editor,
  }) => {
    const page = await open(editor);
    const listed = async (): Promise<readonly object[]> => {
      const { text } = await send(server.messagingDataUrl, LISTED, { token: editor });
      return JSON.parse(text).annotations ?? [];
    };
    const marked = page.locator("[data-note-name]", { hasText: "Release 4.2" });

    await openDialog(page);
    const dialog = page.getByRole("dialog", { name: "Annotations" });
    await dialog.getByText("No annotations on these days.").waitFor();
    await dialog.getByLabel("Text").fill("Release 4.2");
    await dialog.getByRole("button", { name: /^Day / }).press("Enter");
    for (let day = 0; day < 4; day++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Whole project" }).click();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Added Release 4.2.").waitFor();
    await marked.waitFor();
    expect(await listed()).toMatchObject([{ kind: "RELEASE", text: "Release 4.2" }]);

    const cursor = page.getByRole("slider", CHART);
    await cursor.focus();
    await page.keyboard.press("End");
    for (let day = 0; day < 4; day++) await page.keyboard.press("ArrowLeft");
    expect(await cursor.getAttribute("aria-valuetext")).toContain("Release 4.2.");

    await openDialog(page);
    await dialog.getByRole("button", { name: "Delete Release 4.2" }).click();
    await page
      .getByRole("dialog", { name: "Delete Release 4.2" })
      .getByRole("button", { name: "Delete" })
      .click();
    await page.getByText("Deleted Release 4.2.").waitFor();
    await marked.waitFor({ state: "detached" });
    expect(await listed()).toEqual([]);
  });

  test("cannot be changed by a viewer", async ({ open, viewer }) => {
    const page = await open(viewer);
    await openDialog(page);
    const dialog = page.getByRole("dialog", { name: "Annotations" });
    await dialog.getByRole("button", { name: "Close" }).waitFor();
    await untilSettled(page);
    expect(await dialog.getByLabel("Text").count()).toBe(0);
  });
});
