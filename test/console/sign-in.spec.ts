import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AuthorizationServer, startAuthorizationServer } from "../support/authorization-server.js";
import { type OpenConsole, openConsole, signIn } from "../support/console.js";
import type { WatchedPage } from "../support/watched-page.js";
import {
  ANDROID_APP,
  BASE_CONFIG,
  IOS_APP,
  OTHER_PROJECT,
  PROJECT,
  STRANGER,
  VIEWER,
} from "../support/waybill.js";

const SCOPE = "https://www.googleapis.com/auth/platform";
const CLIENT_ID = "waybill-console";
const VIEW = `?project=${PROJECT.id}&app=${encodeURIComponent(ANDROID_APP)}&tab=integrity&days=7`;

let authorizationServer: AuthorizationServer;
let console: OpenConsole;
let watched: WatchedPage;
beforeAll(async () => {
  authorizationServer = await startAuthorizationServer();
  const { issuer, jwksUri } = authorizationServer;
  console = await openConsole({
    config: {
      ...BASE_CONFIG,
      auth: { issuers: [{ issuer, jwksUri, audience: ["waybill"] }] },
      console: { oauth: { issuer, clientId: CLIENT_ID, scope: SCOPE } },
    },
    traffic: { days: 3, messages: 300 },
  });
  authorizationServer.register({
    clientId: CLIENT_ID,
    redirectUri: console.url,
    scope: SCOPE,
    audience: "waybill",
  });
});
afterEach(() => watched?.close());
afterAll(async () => {
  await console.close();
  await authorizationServer.close();
});

const mainHeading = "Apps and their attestation";

test("the link of a demo that is followed where the console is open already signs in, and leaves no code", async () => {
  watched = await console.newPage();
  const { page } = watched;
  const accessToken = await console.server.token(VIEWER);
  await page.route("**/console/demo-session", (route) =>
    route.request().postDataJSON().code === "abc"
      ? route.fulfill({ json: { accessToken, expiresIn: 3600, principal: VIEWER } })
      : route.abort(),
  );
  await page.goto(console.url);
  await page.getByLabel("Access token", { exact: true }).waitFor();
  await page.goto(`${console.url}#code=abc`);
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  expect(page.url()).not.toContain("code");
});

describe("by an access token", () => {
  test("that is pasted, the console shows what it may see, and keeps it for this tab", async () => {
    const token = await console.server.token(VIEWER);
    watched = await console.signedIn(token, VIEW);
    const { page } = watched;
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(page.url()).toBe(console.url + VIEW);

    await page.reload();
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();

    const elsewhere = await watched.context.newPage();
    await elsewhere.goto(console.url);
    await elsewhere.getByLabel("Access token", { exact: true }).waitFor();
    expect(watched.problems()).toEqual([]);
  });

  test("the token is in no address and in no log", async () => {
    const token = await console.server.token(VIEWER);
    const urls: string[] = [];
    watched = await console.newPage();
    const { page } = watched;
    page.on("request", (request) => urls.push(request.url()));
    page.on("framenavigated", (frame) => urls.push(frame.url()));
    await page.goto(console.url + VIEW);
    await signIn(page, token);
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    const signature = token.slice(token.lastIndexOf(".") + 1);
    expect(urls.length).toBeGreaterThan(5);
    expect(urls.filter((url) => url.includes(signature))).toEqual([]);
    expect(console.server.log()).not.toContain(signature);
    expect(await page.evaluate("JSON.stringify(localStorage) + document.cookie")).toBe("{}");
  });

  test("signing out forgets it", async () => {
    watched = await console.signedIn(await console.server.token(VIEWER), VIEW);
    const { page } = watched;
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token", { exact: true }).waitFor();
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.reload();
    await page.getByLabel("Access token", { exact: true }).waitFor();
  });

  test.each<[name: string, token: string, problem: RegExp]>([
    ["nothing", "", /Paste an access token/],
    ["something else", "curl -H 'Authorization …'", /not an access token/],
  ])("%s is refused at once", async (_name, token, problem) => {
    watched = await console.newPage();
    const { page } = watched;
    await page.goto(console.url);
    await signIn(page, token);
    await page.getByRole("alert").getByText(problem).waitFor();
  });

  test("one that has expired is refused at once", async () => {
    watched = await console.newPage();
    const { page } = watched;
    await page.goto(console.url);
    await signIn(page, await console.expiredToken(VIEWER));
    await page
      .getByRole("alert")
      .getByText(/expired/)
      .waitFor();
  });

  test("one that is forged asks for another", async () => {
    const token = await console.server.token(VIEWER);
    watched = await console.signedIn(`${token.slice(0, -10)}AAAAAAAAAA`, VIEW);
    const dialog = watched.page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    // Without a token there is nothing to go back to, however often one asks.
    for (let times = 0; times < 3; times += 1) await watched.page.keyboard.press("Escape");
    await dialog.getByLabel("Access token", { exact: true }).fill("still there");
  });

  test("one that stops to be accepted asks for another, and the view stays", async () => {
    const token = await console.server.token(VIEWER);
    watched = await console.signedIn(token, VIEW);
    const { page } = watched;
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    // What the services answer once it has expired; an hour is too long to wait.
    const expired = await console.expiredToken(VIEWER);
    await page.route("**/v1beta1/**", (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${expired}` } }),
    );
    await page.getByRole("link", { name: "Overview" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    const view = page.url();
    expect(view).toContain("days=7");
    await page.unroute("**/v1beta1/**");
    await signIn(page, await console.server.token(VIEWER));
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "7 days", pressed: true }).waitFor();
    expect(page.url()).toBe(view);
  });

  test("one of somebody without any role sees no project", async () => {
    watched = await console.signedIn(await console.server.token(STRANGER));
    await watched.page.getByRole("heading", { name: "There is no project that you may read" }).waitFor();
  });

  test("one without the scope is told so", async () => {
    watched = await console.signedIn(await console.server.token(VIEWER, "app-platform"));
    await watched.page.getByRole("heading", { name: "This token may not see delivery data" }).waitFor();
  });

  test("a project that it may not see is not told from one that does not exist", async () => {
    for (const project of [OTHER_PROJECT.id, "no-such-project"]) {
      const seen = await console.signedIn(await console.server.token(VIEWER), `?project=${project}`);
      await seen.page
        .getByRole("heading", { name: `You have no permission to see the project ${project}` })
        .waitFor();
      await seen.close();
    }
  });
});

describe("at an authorization server", () => {
  test("by code and PKCE, the viewer comes back to the view, and no code stays in the address", async () => {
    watched = await console.newPage();
    const { page } = watched;
    await page.goto(console.url + VIEW);
    await page.getByRole("button", { name: /^Sign in at / }).click();
    await page.locator("input[name=login]").fill(VIEWER);
    await page.locator("input[name=password]").fill("any");
    await page.locator("button[type=submit]").click();
    await page.locator("button[type=submit]").click();
    await page.getByRole("heading", { name: mainHeading }).waitFor();
    await page.getByRole("rowheader", { name: IOS_APP }).waitFor();
    expect(page.url()).toBe(console.url + VIEW);
    expect(await page.evaluate("Object.keys(sessionStorage).join()")).toBe("waybill.accessToken");
    expect(console.server.log()).toContain(`"principal":"${VIEWER}"`);
    expect(watched.problems().filter((problem) => problem.includes(console.url))).toEqual([]);
  });

  test("one who declines is told so, and can sign in again", async () => {
    watched = await console.newPage();
    const { page } = watched;
    await page.goto(console.url + VIEW);
    await page.getByRole("button", { name: /^Sign in at / }).click();
    await page.getByText("[ Cancel ]").click();
    await page
      .getByRole("alert")
      .getByText(/You are not signed in: .*/)
      .waitFor();
    await page.getByRole("button", { name: /^Sign in at / }).waitFor();
    expect(page.url()).toBe(console.url + VIEW);
  });

  test("an answer that nobody asked for here signs nobody in", async () => {
    watched = await console.newPage();
    const { page } = watched;
    await page.goto(`${console.url}?code=stolen&state=guessed`);
    await page.getByLabel("Access token", { exact: true }).waitFor();
    expect(page.url()).toBe(console.url);
  });

  test("one that cannot be reached is said to be so", async () => {
    watched = await console.newPage();
    const { page } = watched;
    await page.route(`${authorizationServer.issuer}/**`, (route) => route.abort());
    await page.goto(console.url);
    await page.getByRole("button", { name: /^Sign in at / }).click();
    await page
      .getByRole("alert")
      .getByText(/cannot be asked/)
      .waitFor();
  });
});
