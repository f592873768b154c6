import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { chromium } from "playwright-core";
import { expect } from "vitest";
import { startChromium } from "../support/browser/chromium.js";
import { bundle, servePage } from "../support/browser/page-server.js";
import { opening } from "../support/closing.js";
import { postOverTls, TLS } from "../support/http/post-over-tls.js";
import { need } from "../support/needs.js";
import { packagePath } from "../support/package-path.js";
import { it as base } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR, PROJECT } from "../support/servers/project.js";

need("chromium");

const ISSUER = "https://firebaseappcheck.googleapis.com";
/** The address that is fixed in the SDK. */
const HOST = "content-firebaseappcheck.googleapis.com";
const WEB_APP = "1:123456789012:web:0a1b2c3d4e5f";
const LIFETIME_SECONDS = 3_600;
const LIMITED_USE_SECONDS = 300;

declare global {
  /** Defined by `test/clients/app-check-page.js`. */
  var getAppTokens: (app: { projectId: string; appId: string; debugToken: string }) => Promise<string[]>;
}

const it = base
  .extend(
    "site",
    { scope: "file" },
    opening(async () => servePage(await bundle(packagePath("test/clients/app-check-page.js")))),
  )
  .extend("server", { scope: "file" }, ({ site, openSharedServer }) =>
    openSharedServer({
      ...BASE_CONFIG,
      projects: [{ ...PROJECT, apps: [{ id: WEB_APP }] }],
      tls: TLS,
      cors: { origins: [site.origin] },
      integrity: { tokens: { issuer: ISSUER, emulation: true } },
    }),
  )
  /** A page of the site, in a browser that redirects the SDK to the server. */
  .extend("page", async ({ server, site }, { onCleanup }) => {
    const { host } = new URL(server.integrityUrl);
    const browserServer = await startChromium([`--host-resolver-rules=MAP ${HOST}:443 ${host}`]);
    onCleanup(() => browserServer.close());
    const browser = await chromium.connect(browserServer.wsEndpoint());
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    await page.goto(site.origin);
    return page;
  });

it("the Firebase SDK for web pages gets app tokens with a debug token", async ({ server, page }) => {
  const debugToken = randomUUID();
  const path = `projects/${PROJECT.id}/apps/${WEB_APP}`;
  const created = await postOverTls(
    `${server.integrityUrl}/v1/${path}/debugTokens`,
    { displayName: "Chromium", token: debugToken },
    await server.token(EDITOR),
  );
  expect([created.status, created.text]).toEqual([200, created.text]);

  const app = { projectId: PROJECT.id, appId: WEB_APP, debugToken };
  const tokens = await page.evaluate((given) => globalThis.getAppTokens(given), app);
  const claims = tokens.map((token) => decodeJwt(token));
  for (const claim of claims)
    expect(claim).toMatchObject({ iss: `${ISSUER}/${PROJECT.number}`, sub: WEB_APP, provider: "debug" });
  expect(claims.map(({ iat = 0, exp = 0 }) => exp - iat)).toEqual([LIFETIME_SECONDS, LIMITED_USE_SECONDS]);
});
