import { WaybillClient } from "@waybill/client";
import { withResolver } from "@waybill/client/support";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { violationsOf } from "../support/browser/axe.js";
import { chooseOption, test as serving } from "../support/browser/console.js";
import { signIn } from "../support/browser/sign-in.js";
import { copiedText } from "../support/browser/watched-page.js";
import { BASE_CONFIG, EDITOR, IOS_APP, OTHER_PROJECT, PROJECT, VIEWER } from "../support/servers/project.js";

const OWNER = "owner@example.com";
const SETTINGS = `?project=${PROJECT.id}&tab=settings`;
const NARROW = { width: 390, height: 844 };
let page: Page;

serving.override("traffic", false);
serving.override("config", {
  ...BASE_CONFIG,
  access: [
    ...BASE_CONFIG.access,
    { principal: OWNER, projects: [PROJECT.id], role: "owner" },
    { principal: OWNER, projects: [OTHER_PROJECT.id], role: "viewer" },
  ],
});
const test = serving
  .extend("registry", { scope: "file" }, async ({ server }) => {
    const { registryUrl } = server;
    return new WaybillClient({ registryUrl, token: await server.token(OWNER) }).registry;
  })
  /** Registers a separate Android app for a test. */
  .extend("registered", ({ registry }) => async (displayName: string) => {
    const packageName = `com.example.${displayName.toLowerCase().replaceAll(" ", "")}`;
    const app = { displayName, packageName };
    return registry.createApp({ project: PROJECT.id, platform: "android", app });
  })
  /** Grants a role. */
  .extend("granted", ({ registry }) => async (role: string, member: string): Promise<void> => {
    const { bindings = [], ...policy } = await registry.getIamPolicy({ project: PROJECT.id });
    const changed = { ...policy, bindings: [...bindings, { role: `roles/${role}`, members: [member] }] };
    await registry.setIamPolicy({ project: PROJECT.id, policy: changed });
  })
  /** Members with a role. */
  .extend("membersOf", ({ registry }) => async (role: string): Promise<readonly string[]> => {
    const { bindings = [] } = await registry.getIamPolicy({ project: PROJECT.id });
    return bindings
      .filter((binding) => binding.role === `roles/${role}`)
      .flatMap(({ members = [] }) => members);
  })
  .extend(
    "open",
    ({ console, server }) =>
      async (principal = OWNER, view = SETTINGS, colorScheme: "light" | "dark" = "light"): Promise<void> => {
        const permissions = ["clipboard-write"];
        page = await console.signedIn(await server.token(principal), view, { permissions, colorScheme });
      },
  );

const card = (name: string): Locator => page.getByRole("region", { name, exact: true });
/** A list item with this heading. */
const item = (title: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
const dialog = (): Locator => page.getByRole("dialog");
const press = (name: string): Promise<void> => dialog().getByRole("button", { name, exact: true }).click();
const announced = (text: string): Promise<void> => page.getByRole("status").getByText(text).waitFor();

describe("a project's settings", () => {
  test.for([VIEWER, EDITOR])("show %s only app integrity", async (principal, { open }) => {
    await open(principal);
    await page.getByRole("heading", { name: "Only owners see project settings" }).waitFor();
    expect(await page.getByRole("heading", { name: "People" }).count()).toBe(0);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(await page.getByRole("link", { name: "Apps and access" }).count()).toBe(0);
  });

  test("are opened by an owner with the keyboard, and hidden in a project of other owners", async ({
    open,
  }) => {
    await open(OWNER, `?project=${PROJECT.id}`);
    await page.getByRole("link", { name: "Settings", exact: true }).press("Enter");
    await card("People").waitFor();
    await page.getByRole("button", { name: /^Project/ }).click();
    await page.getByRole("option", { name: OTHER_PROJECT.id }).click();
    await page.getByRole("heading", { name: "Only owners see project settings" }).waitFor();
    expect(await page.getByRole("link", { name: "Apps and access" }).count()).toBe(0);
  });

  test.for([
    [OWNER, () => card("People")],
    [VIEWER, () => page.getByRole("rowheader", { name: IOS_APP })],
  ] as const)(
    "opened by %s before the page knows the role show the section that the role may see",
    async ([principal, shown], { console, server, newPage }) => {
      page = await newPage();
      const { promise: released, resolve: release } = withResolver();
      await page.route("**/*:testIamPermissions", async (route) => {
        await released;
        await route.continue();
      });
      await page.goto(`${console.url}?project=${PROJECT.id}`);
      await signIn(page, await server.token(principal));
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await page.waitForURL(/tab=settings/);
      release();
      await shown().waitFor();
      await page.getByRole("link", { name: "All apps", exact: true }).click();
      await page.goBack();
      await shown().waitFor();
    },
  );

  test("of an owner link apps and access, and app integrity", async ({ open }) => {
    await open();
    const sections = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
    await sections.getByText("App integrity").press("Enter");
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const views = page.getByRole("navigation", { name: "Views" });
    expect(await views.locator("[aria-current=page]").innerText()).toBe("Settings");
    await sections.getByText("Apps and access").press("Enter");
    await card("People").waitFor();
  });

  test("are hidden from an owner who loses the role", async ({ open, registry, granted, problems }) => {
    await granted("owner", "user:second@example.com");
    await open("second@example.com");
    await item("second@example.com")
      .getByRole("button", { name: /^Revoke/ })
      .click();
    await dialog().getByText("Without another role, second@example.com has no access").waitFor();
    await press("Revoke");
    await dialog().waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Only owners see project settings" }).waitFor();
    expect(await page.getByRole("heading", { name: "People" }).count()).toBe(0);
    problems.length = 0;
    expect(
      await registry.testIamPermissions({ project: PROJECT.id, permissions: ["firebase.clients.create"] }),
    ).toHaveLength(1);
  });
});

describe("registered apps", () => {
  test("can be registered, renamed, removed and restored by keyboard, each after a confirmation", async ({
    open,
    registry,
  }) => {
    const find = async () =>
      (await registry.searchApps({ project: PROJECT.id, showDeleted: true }).toArray()).find(
        ({ namespace }) => namespace === "com.example.kiosk",
      );
    await open();
    await page.getByRole("button", { name: "Register an app" }).press("Enter");
    await chooseOption(dialog().getByLabel("Platform"), "iOS");
    await dialog().getByLabel("Display name").fill("Kiosk");
    await dialog().getByLabel("Bundle ID").fill("com.example.kiosk");
    await dialog().getByLabel("Apple team ID").fill("A1B2C3D4E5");
    await dialog().getByText("The server assigns an ID to the new iOS app").waitFor();
    await page.keyboard.press("Enter");
    await announced("Registered Kiosk.");
    expect(await find()).toMatchObject({ platform: "IOS", displayName: "Kiosk" });

    await item("Kiosk").getByRole("button", { name: "Rename Kiosk" }).press("Enter");
    await dialog().getByLabel("Display name").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Kiosk 2");
    await page.keyboard.press("Enter");
    await announced("Renamed Kiosk to Kiosk 2.");
    expect(await find()).toMatchObject({ displayName: "Kiosk 2", state: "ACTIVE" });

    await item("Kiosk 2").getByRole("button", { name: "Remove Kiosk 2" }).press("Enter");
    await dialog()
      .getByText(/is removed from project test-project/)
      .waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    expect(await find()).toMatchObject({ state: "ACTIVE" });
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe(
      "Remove Kiosk 2",
    );
    await page.keyboard.press("Enter");
    await press("Remove");
    await announced("Removed Kiosk 2.");
    await item("Kiosk 2")
      .getByText(/^Removed: you can restore it until/)
      .waitFor();
    expect(await find()).toMatchObject({ state: "DELETED" });

    await item("Kiosk 2").getByRole("button", { name: "Restore Kiosk 2" }).press("Enter");
    await dialog()
      .getByText(/is an app of project test-project again/)
      .waitFor();
    await press("Restore");
    await announced("Restored Kiosk 2.");
    expect(await find()).toMatchObject({ state: "ACTIVE" });
  });

  test("are shown with platform and ids, and with a button that copies the id", async ({
    open,
    registered,
  }) => {
    const { appId = "" } = await registered("Copied");
    await open();
    await item("Copied").getByText("Android", { exact: true }).waitFor();
    await item("Copied").getByText("com.example.copied").waitFor();
    await item("Copied").getByRole("button", { name: "Copy app ID of Copied" }).click();
    await item("Copied").getByText("Copied", { exact: true }).nth(1).waitFor();
    expect(await copiedText(page)).toBe(appId);
  });

  test("from the config file are read-only, with an explanation", async ({ open }) => {
    await open();
    const app = item(IOS_APP);
    await app.getByText("Read-only: the config file defines this app.").waitFor();
    expect(await app.getByRole("button").allTextContents()).toEqual(["Copy"]);
  });

  test("show an explanation in the dialog for an invalid name", async ({ open, problems }) => {
    await open();
    await page.getByRole("button", { name: "Register an app" }).click();
    await dialog().getByLabel("Display name").fill("Shop");
    await dialog().getByLabel("Package name").fill("no package");
    await press("Register");
    await dialog()
      .getByRole("alert")
      .getByText(/must be a package name/)
      .waitFor();
    problems.length = 0;
  });

  test("that somebody else has changed show their current state, and can then be renamed", async ({
    open,
    registry,
    registered,
    problems,
  }) => {
    const app = await registered("Contested");
    await open();
    await page.getByRole("button", { name: "Rename Contested" }).click();
    await dialog().getByLabel("Display name").fill("Mine");
    await registry.updateApp({
      platform: "android",
      app: { ...app, displayName: "Theirs" },
      updateMask: "displayName",
    });
    await press("Rename");
    await dialog().getByRole("alert").getByText("somebody else has changed this in the meantime").waitFor();
    problems.length = 0;
    await dialog().getByLabel("Display name").and(page.locator(":focus")).waitFor();
    expect(await dialog().getByLabel("Display name").inputValue()).toBe("Theirs");
    await dialog().getByText("The current name is “Theirs”.").waitFor();
    await dialog().getByLabel("Display name").fill("Mine again");
    await press("Rename");
    await announced("Renamed Contested to Mine again.");
  });
});

describe("people in a project", () => {
  test("can get, change and lose a role, each after a confirmation", async ({ open, membersOf }) => {
    await open();
    await page.getByRole("button", { name: "Grant access" }).press("Enter");
    await dialog().getByLabel("Email address").fill("ada@example.com");
    await dialog().getByText("ada@example.com becomes a viewer of project test-project").waitFor();
    await page.keyboard.press("Enter");
    await announced("ada@example.com is now a viewer of project test-project.");
    expect(await membersOf("viewer")).toContain("user:ada@example.com");

    await page.getByRole("button", { name: "Change role of ada@example.com" }).click();
    await chooseOption(dialog().getByLabel("Role"), "Editor");
    await dialog().getByText("As an editor, ada@example.com can read all data, import events").waitFor();
    await press("Change role");
    await announced("ada@example.com is now an editor of project test-project.");
    expect(await membersOf("viewer")).not.toContain("user:ada@example.com");
    expect(await membersOf("editor")).toContain("user:ada@example.com");

    await page.getByRole("button", { name: "Revoke the editor role of ada@example.com" }).click();
    await dialog().getByText("ada@example.com loses the editor role").waitFor();
    await press("Revoke");
    await announced("ada@example.com is no longer an editor of project test-project.");
    expect(await membersOf("editor")).not.toContain("user:ada@example.com");
  });

  test("can be identified by an issuer and its subject", async ({ open, membersOf }) => {
    await open();
    await page.getByRole("button", { name: "Grant access" }).click();
    await chooseOption(dialog().getByLabel("Kind"), "Subject of an issuer");
    await dialog().getByLabel("Subject").fill("1234");
    expect(await dialog().getByRole("button", { name: "Grant" }).isDisabled()).toBe(true);
    await dialog().getByLabel("Issuer").fill("https://accounts.example.com");
    await press("Grant");
    await item("1234").getByText("Subject of https://accounts.example.com").waitFor();
    expect(await membersOf("viewer")).toContain("principal:https://accounts.example.com#1234");
  });

  test("from the config file are read-only, with an explanation", async ({ open }) => {
    await open();
    await item(OWNER).getByText("Read-only: the config file defines this role.").waitFor();
    expect(await item(OWNER).getByRole("button").count()).toBe(0);
  });

  test("keep their role if somebody else has changed access first", async ({
    open,
    registry,
    granted,
    membersOf,
    problems,
  }) => {
    await granted("viewer", "user:grace@example.com");
    await open();
    await page.getByRole("button", { name: "Revoke the viewer role of grace@example.com" }).click();
    await dialog().getByText("grace@example.com loses the viewer role").waitFor();
    const { bindings = [], ...policy } = await registry.getIamPolicy({ project: PROJECT.id });
    const others = bindings.map(({ members = [], ...binding }) => ({
      ...binding,
      members: members.filter((member) => member !== "user:grace@example.com"),
    }));
    const editor = { role: "roles/editor", members: ["user:grace@example.com"] };
    await registry.setIamPolicy({
      project: PROJECT.id,
      policy: { ...policy, bindings: [...others, editor] },
    });
    await press("Revoke");
    await dialog().getByText("somebody else has changed this in the meantime").waitFor();
    problems.length = 0;
    await dialog().getByText("There is nothing to revoke. grace@example.com is also an editor.").waitFor();
    expect(await membersOf("editor")).toContain("user:grace@example.com");
    await press("Close");
    await page.getByRole("list", { name: "Editors" }).getByText("grace@example.com").waitFor();
  });
});

test("the audit log shows who has changed what, newest first, and can be filtered", async ({
  open,
  registry,
  registered,
}) => {
  const app = await registered("Audited");
  await registry.updateApp({
    platform: "android",
    app: { ...app, displayName: "Audited 2" },
    updateMask: "displayName",
  });
  await open();
  const log = page.getByRole("list", { name: "Audit log" });
  const newest = log.getByRole("listitem").first();
  await newest.getByRole("heading", { name: "Android app changed" }).waitFor();
  await newest.getByText(OWNER).waitFor();
  await newest.getByText("displayName: Audited → Audited 2").waitFor();
  await chooseOption(page.getByLabel("Kind of change"), "iOS app restored");
  await log.getByRole("heading", { name: "Android app changed" }).first().waitFor({ state: "detached" });
  await chooseOption(page.getByLabel("Kind of change"), "All changes");
  await page.getByRole("searchbox", { name: "Made by (exact name)" }).fill("nobody@example.com");
  await page.getByRole("heading", { name: "No changes match" }).waitFor();
});

describe.each(["light", "dark"] as const)("in %s colors", (colorScheme) => {
  test("axe finds no violations in settings and dialogs at any width, and nothing overflows", async ({
    open,
    registered,
  }) => {
    await registered(`Looks ${colorScheme}`);
    await open(OWNER, SETTINGS, colorScheme);
    await item(`Looks ${colorScheme}`).waitFor();
    await page.getByRole("list", { name: "Audit log" }).waitFor();
    for (const viewport of [{ width: 1440, height: 900 }, NARROW]) {
      await page.setViewportSize(viewport);
      expect(await violationsOf(page)).toEqual([]);
      await page.getByRole("button", { name: `Rename Looks ${colorScheme}` }).click();
      await dialog().getByLabel("Display name").waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Grant access" }).click();
      await dialog().getByLabel("Email address").waitFor();
      expect(await violationsOf(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: /^Project/ }).click();
      expect(await violationsOf(page)).toEqual([]);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond).toBeLessThanOrEqual(0);
      await page.keyboard.press("Escape");
    }
  });
});
