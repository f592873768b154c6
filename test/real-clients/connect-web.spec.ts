import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Call, Outcome } from "../connect-web-page/page.js";
import { openChromium } from "../support/chromium.js";
import { accepted, importEvents } from "../support/delivery-data.js";
import { nameOf } from "../support/integrity.js";
import { type OpenServer, openServer } from "../support/open-server.js";
import { bundle, type PageServer, servePage } from "../support/page-server.js";
import { ANDROID_APP, BASE_CONFIG, EDITOR, IOS_APP } from "../support/waybill.js";

const ENTRY = fileURLToPath(new URL("../connect-web-page/page.ts", import.meta.url));

const LABELS = ["", ..."abcdefghijk"];
const NAME = nameOf(IOS_APP);

let listed: PageServer;
let unlisted: PageServer;
let server: OpenServer;
let token: string;
let browser: Browser;
beforeAll(async () => {
  const script = await bundle(ENTRY);
  [listed, unlisted] = await Promise.all([servePage(script), servePage(script)]);
  [server, browser] = await Promise.all([
    openServer({ ...BASE_CONFIG, cors: { origins: [listed.origin] } }),
    openChromium(),
  ]);
  token = await server.token(EDITOR);
  const events = LABELS.map((label) => accepted(ANDROID_APP, "2026-01-02T20:00:00Z", label));
  await importEvents(server, token, events, { appId: ANDROID_APP, entries: LABELS.length });
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([server?.close(), listed?.close(), unlisted?.close()]);
});

type Asked = Omit<Call, "transport" | "url"> & { readonly url?: string };

/** Makes calls in a page of an origin, one after the other. */
async function inPage(
  origin: string,
  transport: Call["transport"],
  use: (call: (asked: Asked) => Promise<Outcome>) => Promise<void>,
): Promise<void> {
  const tab = await browser.newPage();
  try {
    await tab.goto(origin);
    await use(({ service, ...asked }) => {
      const url = service === "MessagingDataService" ? server.messagingDataUrl : server.integrityUrl;
      const call: Call = { transport, url, token, service, ...asked };
      return tab.evaluate((given) => globalThis.callWaybill(given), call);
    });
  } finally {
    await tab.close();
  }
}

test("gets a configuration", async () => {
  await inPage(listed.origin, "gRPC-Web", async (call) => {
    expect(
      await call({ service: "IntegrityService", method: "getAppAttestConfig", request: { name: NAME } }),
    ).toMatchObject({ answer: { name: NAME, tokenTtl: "3600s" } });
  });
});
