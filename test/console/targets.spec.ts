import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { violationsOf } from "../support/browser/axe.js";
import { type PageOptions, test as serving } from "../support/browser/console.js";
import { jsonCalls } from "../support/http/json-calls.js";
import { ANDROID_APP, PROJECT } from "../support/servers/project.js";

const VIEW = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}`;
const TARGETS = `projects/${PROJECT.id}/targets`;

// Enough for a result of each label.
serving.override("traffic", { days: 14, messages: 20_000 });
const test = serving
  .extend(
    "open",
    ({ console }) =>
      (token: string, view: string, options?: PageOptions) =>
        console.signedIn(token, `${VIEW}${view}`, options),
  )
  .extend("call", ({ server, editor }) => jsonCalls(server.messagingDataUrl, editor))
  /** Sets a target until the test ends. */
  .extend("create", ({ call }, { onCleanup }) => {
    const names: string[] = [];
    onCleanup(async () => {
      for (const name of names) await call("DELETE", name);
    });
    return async (deliveredPercent: number, analyticsLabel?: string): Promise<void> => {
      const target = {
        appId: ANDROID_APP,
        deliveredPercent,
        ...(analyticsLabel !== undefined && { analyticsLabel }),
      };
      const { status, text } = await call("POST", TARGETS, target);
      expect([status, text]).toEqual([200, expect.any(String)]);
      names.push(JSON.parse(text).name);
    };
  });

/** Opens the dialog with the keyboard. */
async function openDialog(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu: Delivered share" }).press("Enter");
  await page.getByRole("button", { name: "Target", exact: true }).press("Enter");
}

const cell = (page: Page, text: RegExp) => page.getByRole("cell", { name: text });

describe("targets in the console", () => {
  test("can be set, changed and deleted in the chart, and apps show their results", async ({
    open,
    call,
    editor,
  }) => {
    const page = await open(editor, "");
    const dialog = page.getByRole("dialog", { name: "Target of the whole app" });
    const line = page.locator("[data-target]");
    await openDialog(page);
    await dialog.getByRole("textbox").waitFor();
    for (const invalid of ["0", "100.1", "a"]) {
      await dialog.getByRole("textbox").fill(invalid);
      await dialog.getByText("Enter a number above 0, up to 100.").waitFor();
      expect(await dialog.getByRole("button", { name: "Set" }).isDisabled()).toBe(true);
    }
    await dialog.getByRole("textbox").fill("42,5");
    await page.keyboard.press("Enter");
    await page.getByText("The target of the whole app is 42.5%.").waitFor();
    await page.getByText("Target: 42.5%").waitFor();
    await line.waitFor({ state: "attached" });
    const listed = async () => JSON.parse((await call("GET", TARGETS)).text).targets;
    expect(await listed()).toMatchObject([{ appId: ANDROID_APP, deliveredPercent: 42.5, state: "MET" }]);

    await page.getByRole("link", { name: "All apps", exact: true }).click();
    await cell(page, /^Met, 42\.5% .* delivered of .* messages on /).waitFor();

    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await openDialog(page);
    await dialog.getByText("The current target is 42.5%.").waitFor();
    await dialog.getByText(/^Met: .* delivered of/).waitFor();
    await dialog.getByRole("textbox").fill("99.9");
    await page.keyboard.press("Enter");
    await page.getByText("Target: 99.9%").waitFor();
    await page.getByRole("link", { name: "All apps", exact: true }).click();
    await cell(page, /^Missed, 99\.9% /).waitFor();

    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await openDialog(page);
    await dialog.getByRole("button", { name: "Delete the target" }).press("Enter");
    const deletion = page.getByRole("dialog", { name: "Delete the target of the whole app" });
    await deletion.getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("Deleted the target of the whole app.").waitFor();
    await line.waitFor({ state: "detached" });
    expect(await listed()).toBeUndefined();
  });

  test("are set for the chosen label, and not for several labels", async ({ open, editor, truth }) => {
    const [first = "", second = ""] = new Set(truth.flatMap(({ analyticsLabel }) => analyticsLabel || []));
    const labels = [first, second].map((label) => `&label=${encodeURIComponent(label)}`);
    const page = await open(editor, labels[0] ?? "");
    await openDialog(page);
    await page.getByRole("dialog", { name: `Target of label ${first}` }).waitFor();
    await page.keyboard.press("Escape");
    const both = await open(editor, labels.join(""));
    await both.getByRole("button", { name: "Menu: Delivered share" }).click();
    await both.getByRole("button", { name: "Annotations" }).waitFor();
    expect(await both.getByRole("button", { name: "Target", exact: true }).count()).toBe(0);
  });

  test("have their results in the label table, also on a phone, for viewers who cannot change them", async ({
    open,
    create,
    viewer,
    truth,
  }) => {
    const [label = ""] = truth.flatMap(({ analyticsLabel }) => analyticsLabel || []);
    await create(1e-9, "");
    await create(100, label);
    const page = await open(viewer, "&tab=labels");
    const missed = page.getByRole("row", { name: label }).getByRole("cell", { name: /^Missed, 100\.0% / });
    await missed.waitFor();
    await page.getByRole("columnheader", { name: "Target" }).getByRole("button").click();
    await page.locator("tbody tr").first().getByText(label).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText(/^Missed, 100\.0%/).waitFor();
    // All of a card fits into its width.
    expect(
      await page.getByLabel("Labels, table").evaluate((table) => table.scrollWidth - table.clientWidth),
    ).toBe(0);
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByRole("button", { name: "Menu: Delivered share" }).click();
    await page.getByRole("button", { name: "Annotations" }).waitFor();
    await page.getByRole("button", { name: "Target", exact: true }).waitFor({ state: "detached" });
  });
});
