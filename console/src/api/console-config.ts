import { cutShort, errorOf } from "@waybill/client/requests";
import type { ClockSetting } from "#src/model/clock.js";

/** OAuth 2.0 settings for signing in. */
export interface OAuthConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Scopes to request, separated by spaces. */
  readonly scope: string;
}

/** Settings that the server gives the page before sign-in. */
export interface ConsoleConfig {
  /** Null if the address of the app-integrity service is unknown. */
  readonly integrityUrl: string | null;
  readonly version: string;
  /** Milliseconds between the end of a day and its listing. */
  readonly settleDelayMs: number;
  /** The last setting of the clock of the days; missing if it is that of the machine. */
  readonly clock?: ClockSetting;
  /** Prefix of scope names. */
  readonly scopeBase: string;
  readonly oauth?: OAuthConfig;
}

/** Address of the messaging-data service, without a trailing slash. The console lies directly below it. */
export const messagingDataUrl = (): string => new URL("..", pageUrl()).href.replace(/\/$/, "");

/** Address of the console, without the view. */
export const pageUrl = (): string => new URL(".", window.location.href).href;

/** @throws WaybillError, `UNAVAILABLE` if the server cannot be reached. */
export async function fetchConsoleConfig(): Promise<ConsoleConfig> {
  const url = new URL("config.json", pageUrl());
  const sender = { origin: url.origin, service: "Waybill" };
  const answer = await fetch(url, { credentials: "omit" }).catch((cause: unknown) => {
    throw cutShort(cause, sender, false);
  });
  if (answer.ok) return (await answer.json()) as ConsoleConfig;
  throw errorOf({ status: answer.status, headers: answer.headers, text: await answer.text() }, sender);
}
