import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { WaybillClient } from "@waybill/client";
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import {
  APP_ID,
  CA_NOT_AFTER,
  CA_NOT_BEFORE,
  createChain,
  SyntheticDevice,
} from "../../src/integrity/attestation/testing/synthetic-device.js";
import { sha256 } from "../../src/integrity/attestation/verify-attestation.js";
import { violationsOf } from "../support/browser/axe.js";
import { chooseOfChart, chooseOption, test as serving } from "../support/browser/console.js";
import { copiedText, untilSettled } from "../support/browser/watched-page.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT, VIEWER } from "../support/servers/project.js";
import { fileDirectory } from "../support/test-directory.js";

const OTHER_APP = "app-7d";
const VIEW = `?project=${PROJECT.id}&tab=integrity&attested=`;
const APP = { project: PROJECT.id, app: IOS_APP };

const folder = fileDirectory();
const rootFile = join(folder, "root.pem");
const chain = await createChain();
writeFileSync(rootFile, chain.root.certificate.toString("pem"));

let page: Page;

serving.override("traffic", false);
serving.override("config", {
  ...BASE_CONFIG,
  projects: [
    {
      ...PROJECT,
      apps: [{ id: IOS_APP, teamId: APP_ID.slice(0, 10), bundleId: APP_ID.slice(11) }, { id: OTHER_APP }],
    },
  ],
  access: [
    { principal: EDITOR, projects: [PROJECT.id], role: "editor" },
    { principal: VIEWER, projects: [PROJECT.id], role: "viewer" },
  ],
  integrity: { attestation: { rootFile } },
});
const test = serving
  .extend("client", { scope: "file" }, async ({ server, editor }) => {
    const { integrityUrl } = server;
    return new WaybillClient({ integrityUrl, token: editor }).attestation;
  })
  /** Attests a device key, and returns its id. */
  .extend("attested", ({ client }) => async (): Promise<string> => {
    const device = await SyntheticDevice.create(chain);
    const { challenge = "" } = await client.generateAppAttestChallenge(APP);
    const leaf = { notBefore: CA_NOT_BEFORE, notAfter: CA_NOT_AFTER };
    const attestation = await device.attest(sha256(Buffer.from(challenge, "base64")), { leaf });
    const attestationStatement = attestation.toString("base64");
    const keyId = device.keyId.toString("base64");
    await client.exchangeAppAttestAttestation({ ...APP, attestationStatement, challenge, keyId });
    return keyId;
  })
  .extend("open", ({ console, server }) => async (principal: string, app: string, options = {}) => {
    const permissions = ["clipboard-write"];
    const token = await server.token(principal);
    page = await console.signedIn(token, `${VIEW}${encodeURIComponent(app)}`, { permissions, ...options });
    await card(app).getByText("Token lifetime", { exact: true }).waitFor();
  });

const card = (name: string): Locator => page.getByRole("region", { name, exact: true });
const dialog = (): Locator => page.getByRole("dialog");
const press = (name: string): Promise<void> => dialog().getByRole("button", { name, exact: true }).click();
const announced = (text: string): Promise<void> => page.getByRole("status").getByText(text).waitFor();

describe("a registered app's page", () => {
  test("opens from the list of apps, and leads back to it, by keyboard", async ({ console, viewer }) => {
    page = await console.signedIn(viewer, `?project=${PROJECT.id}&tab=integrity`);
    await page.getByRole("link", { name: OTHER_APP }).press("Enter");
    await card(OTHER_APP).getByText("1 hour").waitFor();
    await page.getByRole("heading", { name: "No tokens in the last 90 days" }).waitFor();
    await page.getByRole("heading", { name: "No failures in the last seven days" }).waitFor();
    await page.getByRole("heading", { name: "No attested keys" }).waitFor();
    await page.getByRole("link", { name: "All registered apps" }).press("Enter");
    await page.getByRole("link", { name: IOS_APP }).waitFor();
  });

  test("explains that an app is not registered", async ({ console, viewer, problems }) => {
    page = await console.signedIn(viewer, `${VIEW}unknown`);
    // The page requests several resources of the app. None is found.
    await page.getByRole("alert").getByRole("heading", { name: "Not found" }).first().waitFor();
    await page.getByRole("link", { name: "All registered apps" }).waitFor();
    await untilSettled(page);
    problems.length = 0;
  });

  test("creates a debug token by keyboard, and shows its secret once", async ({ open, client }) => {
    await open(EDITOR, IOS_APP);
    await page.getByRole("button", { name: "Create a debug token" }).press("Enter");
    await dialog().getByLabel("Name").fill("CI");
    await page.keyboard.press("Enter");
    const secret = await dialog().getByRole("code").innerText();
    expect(secret).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog().getByText("Copy the secret now.").waitFor();
    await press("Copy secret of CI");
    expect(await copiedText(page)).toBe(secret);
    await press("Done");
    await announced("Created CI.");
    expect(await page.content()).not.toContain(secret);

    // A device with the secret gets a token, which a backend consumes twice. Another secret fails.
    const { token: appCheckToken = "" } = await client.exchangeDebugToken({ ...APP, debugToken: secret });
    for (const expected of [{}, { alreadyConsumed: true }])
      expect(await client.verifyAppCheckToken({ project: PROJECT.id, appCheckToken })).toEqual(expected);
    const other = { ...APP, debugToken: crypto.randomUUID() };
    await expect(client.exchangeDebugToken(other)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });

    await page.reload();
    const chart = card("App tokens");
    await chooseOfChart(chart, "App tokens", "Show as table");
    const today = chart.getByRole("row").nth(1);
    await today.getByRole("cell").nth(2).getByText("1", { exact: true }).waitFor();
    expect(await today.getByRole("cell").allInnerTexts()).toEqual(["1", "1", "1"]);
    const failure = card("Latest failures").getByRole("listitem").first();
    await failure.getByRole("heading", { name: "Unknown debug token" }).waitFor();
    await failure.getByText("a secret that no debug token of the app has").waitFor();
    const link = failure.getByRole("link", { name: "Learn more about this step" });
    expect(await link.getAttribute("href")).toBe("../docs/guides/debug-tokens#create-and-exchange");

    await page.getByRole("button", { name: "Delete CI" }).press("Enter");
    await dialog().getByText("The secret of CI can no longer be exchanged for tokens.").waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    expect(await client.listDebugTokens(APP).toArray()).toHaveLength(1);
    await page.keyboard.press("Enter");
    await press("Delete");
    await announced("Deleted CI.");
    await page.getByRole("heading", { name: "No debug tokens" }).waitFor();
    expect(await client.listDebugTokens(APP).toArray()).toEqual([]);
  });

  test("finds attested keys by id in any base64, and revokes one", async ({
    open,
    client,
    attested,
    problems,
  }) => {
    const [keyId, other] = [await attested(), await attested()];
    const id = keyId.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    await open(EDITOR, IOS_APP);
    const keys = card("Attested keys");
    await expect.poll(() => keys.getByRole("listitem").count()).toBe(2);
    for (const text of [keyId, id]) {
      await keys.getByRole("searchbox").fill(text);
      await expect.poll(() => keys.getByRole("heading", { level: 3 }).allInnerTexts()).toEqual([id]);
      await keys.getByRole("searchbox").fill("");
    }
    await keys.getByRole("button", { name: `Revoke ${id}` }).press("Enter");
    await dialog().getByText(`All assertions of the key ${id} fail from now on.`).waitFor();
    await press("Revoke");
    await announced("Revoked the key.");
    await expect.poll(() => keys.getByRole("listitem").count()).toBe(1);
    const rest = await client.listAttestedKeys(APP).toArray();
    expect(rest.map(({ name = "" }) => name.split("/").at(-1))).toEqual([
      other.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
    ]);
    await keys.getByRole("searchbox").fill(id);
    await keys.getByRole("heading", { name: "No attested key has this ID" }).waitFor();
    problems.length = 0;
  });

  test("changes the token lifetime after a confirmation", async ({ open }) => {
    await open(EDITOR, OTHER_APP);
    await page.getByRole("button", { name: "Change token lifetime" }).press("Enter");
    await chooseOption(dialog().getByLabel("Token lifetime"), "2 hours");
    await press("Change");
    await announced("Tokens are now valid for 2 hours.");
    await card(OTHER_APP).getByText("2 hours", { exact: true }).waitFor();
  });

  test("shows viewers figures, failures and keys, without buttons for changes or debug tokens", async ({
    open,
    attested,
  }) => {
    await attested();
    await open(VIEWER, IOS_APP);
    await card("App tokens").waitFor();
    await card("Attested keys").getByRole("listitem").first().waitFor();
    await untilSettled(page);
    expect(await page.getByRole("button", { name: /^(Change|Create|Delete|Revoke)/ }).count()).toBe(0);
    expect(await page.getByRole("heading", { name: "Debug tokens" }).count()).toBe(0);
  });
});

describe.each(["light", "dark"] as const)("in %s colors", (colorScheme) => {
  test("axe finds nothing on an app's page at any width, and nothing overflows the screen", async ({
    open,
    client,
    attested,
  }) => {
    await attested();
    await client.createDebugToken({ ...APP, displayName: colorScheme, token: crypto.randomUUID() });
    await client.exchangeDebugToken({ ...APP, debugToken: "x" }).catch(() => {});
    await open(EDITOR, IOS_APP, { colorScheme });
    await card("Debug tokens").getByRole("heading", { name: colorScheme }).waitFor();
    await card("App tokens").waitFor();
    await card("Latest failures").getByRole("listitem").first().waitFor();
    for (const width of [390, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await violationsOf(page)).toEqual([]);
    }
  });
});
