/** How a viewer signs in by OAuth 2.0. */
export interface OAuthConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** Scopes to ask for, separated by spaces. */
  readonly scope: string;
}

/** What the server says to the page before anybody signs in. */
export interface ConsoleConfig {
  /** Null if the page cannot know where the app-integrity service is. */
  readonly integrityUrl: string | null;
  readonly version: string;
  /** Milliseconds from the end of a day until it is listed. */
  readonly settleDelayMs: number;
  /** What the names of scopes begin with. */
  readonly scopeBase: string;
  readonly oauth?: OAuthConfig;
}

/** The address of the messaging-data service: the console lies directly below it. Without a slash at the end. */
export const messagingDataUrl = (): string => new URL("..", pageUrl()).href.replace(/\/$/, "");

/** The address of the console itself, without the view. */
export const pageUrl = (): string => new URL(".", window.location.href).href;

/** @throws Error if the server cannot be reached. */
export async function fetchConsoleConfig(): Promise<ConsoleConfig> {
  const response = await fetch(new URL("config.json", pageUrl()), { credentials: "omit" });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return (await response.json()) as ConsoleConfig;
}
