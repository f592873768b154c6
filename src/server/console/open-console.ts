import type { PlainRoute } from "../../api/plain-route.js";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { DEMO_PRINCIPAL } from "../config/demo-config.js";
import { SERVICE_NAMES, urlKey } from "../config/services.js";
import { VERSION } from "../operators/version.js";
import type { ServerParts } from "../server-parts.js";
import { readConsoleFiles } from "./console-files.js";
import { CONSOLE_HOST, type PageSettings, type ServiceUrls } from "./console-page.js";
import { CONSOLE_PATH, consoleRoutes } from "./console-routes.js";
import { DemoCodes, demoSessionRoute } from "./demo-session.js";
import { docsRoutes } from "./docs-routes.js";
import { namedUrl, originsOf, reachableUrl } from "./loopback.js";

/** Services that the console calls on other ports. */
const OTHER_SERVICES = SERVICE_NAMES.filter((name) => name !== CONSOLE_HOST);

export interface Console {
  readonly routes: readonly PlainRoute[];
  /** Returns a single-use link that opens the console signed in to the demo. Returns `undefined` without a demo. */
  demoLink(): string | undefined;
}

export type ConsoleParts = Pick<
  ServerParts,
  "config" | "addresses" | "scopeNames" | "localIssuer" | "logger" | "clock" | "dayClock"
>;

/** Opens the console. @returns `undefined` if the console is off or has not been built. */
export async function openConsole(parts: ConsoleParts): Promise<Console | undefined> {
  const { config, addresses, logger } = parts;
  if (config.console === false) return undefined;
  const files = await readConsoleFiles();
  if (files === undefined) {
    logger.warn("the console is not built and not served; run npm run build");
    return undefined;
  }
  const { oauth } = config.console;
  const settings = (): PageSettings => pageSettings(parts);
  const connectsTo = (): string[] => {
    const others = OTHER_SERVICES.flatMap((name) => settings()[urlKey(name)] ?? []);
    return [
      ...others.map((url) => new URL(url).origin),
      ...(oauth === undefined ? [] : [new URL(oauth.issuer).origin, ...oauth.origins]),
    ];
  };
  const codes = new DemoCodes(parts.clock);
  const demoRoutes = demoRoutesOf(parts, codes);
  const docs = await docsRoutes();
  return {
    routes: [...consoleRoutes({ files, settings, connectsTo }), ...demoRoutes, ...docs],
    demoLink: () => {
      const base = addresses.publicUrl(CONSOLE_HOST);
      if (demoRoutes.length === 0 || base === undefined) return undefined;
      // Browsers never send a URL's fragment, so the code does not appear in logs.
      return `${reachableUrl(base)}${CONSOLE_PATH}#code=${codes.issue()}`;
    },
  };
}

/**
 * Returns the sign-in route of the demo. Empty without a demo, or if the local issuer, which signs the demo's tokens,
 * is off.
 */
function demoRoutesOf(
  { config, scopeNames, localIssuer, logger }: ConsoleParts,
  codes: DemoCodes,
): PlainRoute[] {
  if (!config.demo || localIssuer === undefined) return [];
  const route = demoSessionRoute({
    codes,
    issuer: localIssuer,
    principal: DEMO_PRINCIPAL,
    scopes: [scopeNames.nameOf(Scope.PLATFORM)],
    issued: (requestId, token) => logger.info({ requestId, ...token }, "issued an access token"),
  });
  return [route];
}

/** Returns all origins that the console page can have. Empty if the console is off or its address is unknown. */
export function consoleOrigins({
  config,
  addresses,
}: {
  readonly config: Pick<ConsoleParts["config"], "console">;
  readonly addresses: ConsoleParts["addresses"];
}): string[] {
  const base = addresses.publicUrl(CONSOLE_HOST);
  return config.console === false || base === undefined ? [] : originsOf(base);
}

function pageSettings({ config, addresses, dayClock }: ConsoleParts): PageSettings {
  const urls = OTHER_SERVICES.map((name): [string, string | null] => {
    const url = addresses.publicUrl(name);
    return [urlKey(name), url === undefined ? null : namedUrl(url)];
  });
  const scopeBase = config.auth.scopeBase.replace(/\/+$/, "");
  const settings = {
    ...(Object.fromEntries(urls) as ServiceUrls),
    version: VERSION,
    settleDelayMs: config.messagingData.settleDelay,
    scopeBase,
    ...(config.clock.adjustable && { clock: dayClock.setting }),
  };
  if (config.console === false || config.console.oauth === undefined) return settings;
  const { issuer, clientId, scope = `openid email ${scopeBase}/platform` } = config.console.oauth;
  return { ...settings, oauth: { issuer, clientId, scope } };
}
