import { expect, it } from "vitest";
import { ConsolePage, type PageSettings } from "./console-page.js";

const HTML = '<head><script type="application/json" id="settings"></script></head>';
const SETTINGS: PageSettings = {
  integrityUrl: null,
  registryUrl: null,
  version: "0.1.0",
  settleDelayMs: 0,
  scopeBase: "a",
};

it("ConsolePage contains its settings as JSON that cannot end the element", () => {
  const scopeBase = "</script><!--<script>";
  const html = String(new ConsolePage(HTML).with({ ...SETTINGS, scopeBase }).bytes);
  const [, json = ""] = /id="settings">([^<]*)<\/script><\/head>$/.exec(html) ?? [];
  expect(JSON.parse(json)).toEqual({ ...SETTINGS, scopeBase });
});

it("ConsolePage is encoded once until its settings change", () => {
  const page = new ConsolePage(HTML);
  const first = page.with(SETTINGS);
  expect(page.with({ ...SETTINGS })).toBe(first);
  expect(page.with({ ...SETTINGS, settleDelayMs: 1 }).etag).not.toBe(first.etag);
});

it("ConsolePage rejects a page without an element for settings", () => {
  expect(() => new ConsolePage("<head></head>")).toThrow("no element for its settings");
});
