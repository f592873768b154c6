import { describe, expect } from "vitest";
import { violationsOf } from "../support/browser/axe.js";
import { type Console, daysButton, keyFigure, test as serving } from "../support/browser/console.js";
import { signIn, signOut } from "../support/browser/sign-in.js";
import { untilSettled } from "../support/browser/watched-page.js";
import { opening } from "../support/closing.js";
import { poll } from "../support/poll.js";
import { startAuthorizationServer } from "../support/servers/authorization-server.js";
import { untilLogged } from "../support/servers/log.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  IOS_APP,
  NO_ROLE,
  OTHER_PROJECT,
  PROJECT,
  VIEWER,
} from "../support/servers/project.js";

const SCOPE = "https://www.googleapis.com/auth/platform";
const CLIENT_ID = "waybill-console";
const VIEW = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}&tab=integrity&days=7`;

serving.override("traffic", { days: 3, messages: 300 });
serving.override("checksProblems", false);
const test = serving
  .extend("authorizationServer", { scope: "file" }, opening(startAuthorizationServer))
  .override("config", ({ authorizationServer: { issuer, jwksUri } }) => ({
    ...BASE_CONFIG,
    auth: { issuers: [{ issuer, jwksUri, audience: ["waybill"] }] },
    console: { oauth: { issuer, clientId: CLIENT_ID, scope: SCOPE } },
  }));

test.beforeAll(({ server, authorizationServer }) => {
  authorizationServer.register({
    clientId: CLIENT_ID,
    redirectUri: `${server.messagingDataUrl}/console/`,
    scope: SCOPE,
    audience: "waybill",
  });
});

const mainHeading = "Apps and token lifetimes";

test("a demo link signs in even if the console is already open, and its code is removed from the URL", async ({
  console,
  server,
  newPage,
}) => {
  const page = await newPage();
  const accessToken = await server.token(VIEWER);
  await page.route("**/console/demo-session", (route) =>
    route.request().postDataJSON().code === "abc"
      ? route.fulfill({ json: { accessToken, expiresIn: 3600, principal: VIEWER } })
      : route.abort(),
  );
  await page.goto(console.url);
  await page.getByLabel("Access token", { exact: true }).waitFor();
  await page.goto(`${console.url}#code=abc`);
  await page.getByRole("button", { name: `Account: ${VIEWER}` }).waitFor();
  expect(page.url()).not.toContain("code");
});

describe("signing in with an access token", () => {
  test("shows the projects that the token may read, in all tabs", async ({ console, server, problems }) => {
    const token = await server.token(VIEWER);
    const page = await console.signedIn(token, VIEW, { hasOwnContext: true });
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(page.url()).toBe(console.url + VIEW);

    await page.reload();
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();

    const elsewhere = await page.context().newPage();
    await elsewhere.goto(console.url + VIEW);
    await elsewhere.getByRole("rowheader", { name: IOS_APP }).waitFor();
    await signOut(page);
    for (const tab of [page, elsewhere]) await tab.getByLabel("Access token", { exact: true }).waitFor();
    await signIn(elsewhere, token);
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(problems).toEqual([]);

    // The browser stores no token for later visits.
    for (const tab of page.context().pages()) await tab.close();
    const later = await page.context().newPage();
    await later.goto(console.url);
    await later.getByLabel("Access token", { exact: true }).waitFor();
  });

  test("needs no request for settings before, and none for code after", async ({
    console,
    server,
    newPage,
  }) => {
    const page = await newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(console.url);
    // The idle page loads the other parts in advance.
    await poll(
      () => requested,
      (paths) => paths.some((path) => path.startsWith("/console/assets/settings-")),
    );
    await untilSettled(page);
    expect(requested.filter((path) => !path.startsWith("/console/assets/"))).toEqual(["/console/"]);
    const { length } = requested;
    await signIn(page, await server.token(VIEWER));
    await page.getByText(PROJECT.id).first().waitFor();
    await untilSettled(page);
    expect(requested.slice(length).filter((path) => path.startsWith("/console/"))).toEqual([]);
  });

  test("puts the token into no URL and no log", async ({ console, server, newPage }) => {
    const token = await server.token(VIEWER);
    const urls: string[] = [];
    const page = await newPage();
    page.on("request", (request) => urls.push(request.url()));
    page.on("framenavigated", (frame) => urls.push(frame.url()));
    await page.goto(console.url + VIEW);
    await signIn(page, token);
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    const signature = token.slice(token.lastIndexOf(".") + 1);
    expect(urls.length).toBeGreaterThan(5);
    expect(urls.filter((url) => url.includes(signature))).toEqual([]);
    expect(server.log()).not.toContain(signature);
    // The browser stores only visits. A visit counts once the lists of projects and apps have loaded.
    await untilSettled(page);
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(["waybill.visitsProjects"]);
    const stored = await page.evaluate(() => localStorage.getItem("waybill.visitsProjects"));
    expect(stored).toBe(JSON.stringify([PROJECT.id]));
    expect(await page.evaluate(() => document.cookie)).toBe("");
  });

  test("ends with signing out, which deletes the token", async ({ console, server }) => {
    const page = await console.signedIn(await server.token(VIEWER), VIEW);
    await signOut(page);
    await page.getByLabel("Access token", { exact: true }).waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.reload();
    await page.getByLabel("Access token", { exact: true }).waitFor();
  });

  test.for<[name: string, tokenOf: (console: Console) => string | Promise<string>, problem: RegExp]>([
    ["nothing", () => "", /Paste an access token/],
    ["something else", () => "curl -H 'Authorization …'", /not an access token/],
    ["an expired token", ({ expiredToken }) => expiredToken(VIEWER), /expired/],
  ])("sends no request with %s", async ([_name, tokenOf, problem], { console, newPage }) => {
    const page = await newPage();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.goto(console.url);
    await signIn(page, await tokenOf(console));
    await page.getByRole("alert").getByText(problem).waitFor();
    await untilSettled(page);
    expect(requested.filter((path) => !path.startsWith("/console/"))).toEqual([]);
  });

  test("shows the service's error message for a forged token, on the sign-in page", async ({
    console,
    server,
  }) => {
    const token = await server.token(VIEWER);
    const page = await console.signedIn(`${token.slice(0, -10)}AAAAAAAAAA`, VIEW);
    await page
      .getByRole("alert")
      .getByText(/^Sign-in failed: The access token is not valid: /)
      .waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    const field = page.getByLabel("Access token", { exact: true });
    await field.fill(token);
    await field.press("Enter");
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(page.url()).toBe(console.url + VIEW);
  });

  test("has to be repeated after the token has expired, and keeps the view", async ({ console, server }) => {
    const token = await server.token(VIEWER);
    const page = await console.signedIn(token, VIEW);
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    // Replaces the token, because it would expire only after an hour.
    const expired = await console.expiredToken(VIEWER);
    await page.route("**/v1beta1/**", (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${expired}` } }),
    );
    await page.getByRole("link", { name: "Overview" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByText("The access token has expired.").waitFor();
    // Without a token, canceling does not close the dialog.
    for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
    await dialog.waitFor();
    const view = page.url();
    expect(view).toContain("days=7");
    await page.unroute("**/v1beta1/**");
    await signIn(page, await server.token(VIEWER));
    await dialog.waitFor({ state: "detached" });
    await daysButton(page).getByText("7 days").waitFor();
    expect(page.url()).toBe(view);
  });

  test("sends requests again after a rejection, also with the same token", async ({ console, server }) => {
    const token = await server.token(VIEWER);
    const page = await console.signedIn(token, VIEW);
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    // The error is the server's, not the token's.
    await page.route("**/v1beta1/**", (route) =>
      route.fulfill({
        status: 401,
        json: { error: { code: 401, message: "No.", status: "UNAUTHENTICATED" } },
      }),
    );
    await page.getByRole("link", { name: "Overview" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    await page.unroute("**/v1beta1/**");
    await signIn(page, token);
    await dialog.waitFor({ state: "detached" });
    await keyFigure(page, "Accepted messages").getByText(/\d/).waitFor();
  });

  test("shows the viewer in the account menu, which keeps the theme", async ({ console, server }) => {
    const page = await console.signedIn(await server.token(VIEWER), VIEW);
    const account = page.getByRole("button", { name: `Account: ${VIEWER}` });
    await account.press("Enter");
    await page.getByText(/^Token expires /).waitFor();
    await page.getByRole("button", { name: "Dark" }).click();
    const schemeOf = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
    expect(await schemeOf()).toBe("dark");
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await account.getAttribute("aria-expanded")).toBe("false");
    await page.reload();
    await account.waitFor();
    expect(await schemeOf()).toBe("dark");
  });

  test("shows no projects to a viewer without a role", async ({ console, server }) => {
    const page = await console.signedIn(await server.token(NO_ROLE));
    await page.getByRole("heading", { name: "You do not have access to any project" }).waitFor();
  });

  test("explains that a token lacks the scope", async ({ console, server }) => {
    const page = await console.signedIn(await server.token(VIEWER, "app-platform"));
    await page.getByRole("heading", { name: "This token has no access to delivery data" }).waitFor();
  });

  test("shows a project without access in the same way as an unknown project", async ({
    console,
    server,
  }) => {
    for (const project of [OTHER_PROJECT.id, "no-such-project"]) {
      const page = await console.signedIn(await server.token(VIEWER), `?project=${project}`);
      await page.getByRole("heading", { name: `You do not have access to project ${project}` }).waitFor();
    }
  });
});

describe("signing in at an authorization server", () => {
  test("returns the viewer to the view by code and PKCE, and removes the code from the URL", async ({
    console,
    server,
    newPage,
    problems,
  }) => {
    const page = await newPage();
    await page.goto(console.url + VIEW);
    await page.getByRole("button", { name: /^Sign in at / }).click();
    await page.locator("input[name=login]").fill(VIEWER);
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.locator("button[type=submit]").click();
    await page.getByRole("heading", { name: mainHeading }).waitFor();
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(page.url()).toBe(console.url + VIEW);
    expect(await page.evaluate(() => Object.keys(sessionStorage).join())).toBe("waybill.accessToken");
    await untilLogged(server, `"principal":"${VIEWER}"`);
    expect(problems.filter((problem) => problem.includes(console.url))).toEqual([]);
  });

  test("shows that the sign-in was declined, and can be tried again", async ({ console, newPage }) => {
    const page = await newPage();
    await page.goto(console.url + VIEW);
    await page.getByRole("button", { name: /^Sign in at / }).click();
    await page.getByText("[ Cancel ]").click();
    await page
      .getByRole("alert")
      .getByText(/Sign-in failed: .*/)
      .waitFor();
    await page.getByRole("button", { name: /^Sign in at / }).waitFor();
    expect(page.url()).toBe(console.url + VIEW);
  });

  test("ignores an authorization response that was not requested", async ({ console, newPage }) => {
    const page = await newPage();
    await page.goto(`${console.url}?code=stolen&state=guessed`);
    await page.getByLabel("Access token", { exact: true }).waitFor();
    await page.waitForURL(console.url);
  });

  test("shows that the authorization server cannot be reached", async ({
    console,
    authorizationServer,
    newPage,
  }) => {
    const page = await newPage();
    await page.route(`${authorizationServer.issuer}/**`, (route) => route.abort());
    await page.goto(console.url);
    await page.getByRole("button", { name: /^Sign in at / }).click();
    await page
      .getByRole("alert")
      .getByText(/^Cannot reach /)
      .waitFor();
  });
});
