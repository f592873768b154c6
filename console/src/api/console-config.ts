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
  /** Prefix of scope names. */
  readonly scopeBase: string;
  readonly oauth?: OAuthConfig;
}

/** Address of the messaging-data service, without a trailing slash. The console lies directly below it. */
export const messagingDataUrl = (): string => new URL("..", pageUrl()).href.replace(/\/$/, "");

/** Address of the console, without the view. */
export const pageUrl = (): string => new URL(".", window.location.href).href;

/** @throws Error if the server cannot be reached. */
export async function fetchConsoleConfig(): Promise<ConsoleConfig> {
  const response = await fetch(new URL("config.json", pageUrl()), { credentials: "omit" });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return (await response.json()) as ConsoleConfig;
}
