import { EncodedEntity } from "../../api/encoded-response.js";
import type { ClockSetting } from "../../model/clock.js";
import type { ServiceName, UrlKey } from "../config/services.js";

/** Name of the service that serves the console. */
export const CONSOLE_HOST = "messaging-data";

/** Addresses at which browsers reach the other services. Null if an address is unknown. */
export type ServiceUrls = Readonly<Record<UrlKey<Exclude<ServiceName, typeof CONSOLE_HOST>>, string | null>>;

/** Settings that the page contains. It reads them again while its clock is adjustable. */
export interface PageSettings extends ServiceUrls {
  /** Server version. */
  readonly version: string;
  /** Time from when a day ends until it is listed. */
  readonly settleDelayMs: number;
  /** Last setting of the adjustable clock. Omitted if the clock is not adjustable. */
  readonly clock?: ClockSetting;
  /** Prefix of scope names. */
  readonly scopeBase: string;
  /** Sign-in with OAuth 2.0, if configured. */
  readonly oauth?: { readonly issuer: string; readonly clientId: string; readonly scope: string };
}

/** Empty element for the settings. Browsers do not run a script of this type, so that any policy allows it. */
const SETTINGS_ELEMENT = '<script type="application/json" id="settings"></script>';

/** The console page, with its settings as JSON, so that the page does not need to request them. */
export class ConsolePage {
  readonly #before: string;
  readonly #after: string;
  /** The last page, which stays the same until the settings change. */
  #last: { readonly settings: string; readonly entity: EncodedEntity } | undefined;

  /** @throws Error if the page has no place for its settings. */
  constructor(html: string) {
    const index = html.indexOf(SETTINGS_ELEMENT);
    if (index < 0) throw new Error("the console page has no element for its settings");
    const end = index + SETTINGS_ELEMENT.indexOf("</script>");
    this.#before = html.slice(0, end);
    this.#after = html.slice(end);
  }

  with(settings: PageSettings): EncodedEntity {
    // Without "<", the JSON cannot end its element (HTML, "Restrictions for contents of script elements").
    const json = JSON.stringify(settings).replaceAll("<", "\\u003c");
    if (this.#last?.settings !== json) {
      const html = Buffer.from(this.#before + json + this.#after);
      this.#last = { settings: json, entity: new EncodedEntity(html, "text/html; charset=utf-8") };
    }
    return this.#last.entity;
  }
}
