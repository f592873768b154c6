import { cutShort, errorOf } from "@waybill/client/requests";
import type { ClockSetting } from "#src/model/clock.js";

/** OAuth 2.0 settings for signing in. */
export interface OAuthConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Scopes to request, separated by spaces. */
  readonly scope: string;
}

/** Settings that the page contains. */
export interface ConsoleConfig {
  /** Null if the app-integrity address is unknown. */
  readonly integrityUrl: string | null;
  /** Null if the registry address is unknown. */
  readonly registryUrl: string | null;
  readonly version: string;
  /** Milliseconds from midnight until the ended day is listed. */
  readonly settleDelayMs: number;
  /** Setting of an adjustable clock. Omitted if the server uses the system clock. */
  readonly clock?: ClockSetting;
  /** Prefix of scope names. */
  readonly scopeBase: string;
  readonly oauth?: OAuthConfig;
}

/** Messaging-data service URL, without a trailing slash. The console is one path segment below it. */
export const messagingDataUrl = (): string => new URL("..", pageUrl()).href.replace(/\/$/, "");

/** Console URL, without the view. */
export const pageUrl = (): string => new URL(".", window.location.href).href;

/** Returns the settings that the page contains. @throws Error if it contains none. */
export function containedConfig(): ConsoleConfig {
  const text = document.getElementById("settings")?.textContent;
  if (!text) throw new Error("the page contains no settings");
  return JSON.parse(text) as ConsoleConfig;
}

/** Reads the current settings. @throws WaybillError, `UNAVAILABLE` if the server cannot be reached. */
export const fetchConsoleConfig = (): Promise<ConsoleConfig> =>
  readJson(new URL("config.json", pageUrl()), {});

/** Reads JSON that is not part of an API. @throws WaybillError, `UNAVAILABLE` if the server cannot be reached. */
export async function readJson<T>(url: URL, request: RequestInit): Promise<T> {
  const sender = { origin: url.origin, service: "Waybill" };
  const response = await fetch(url, { ...request, credentials: "omit" }).catch((cause: unknown) => {
    throw cutShort(cause, sender, false);
  });
  if (response.ok) return (await response.json()) as T;
  throw errorOf({ status: response.status, headers: response.headers, text: await response.text() }, sender);
}
