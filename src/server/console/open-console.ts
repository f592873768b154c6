import type { Logger } from "pino";
import type { PlainRoute } from "../../api/plain-route.js";
import { ScopeNames } from "../../auth/scopes.js";
import { openLocalIssuer } from "../../auth/tokens/local-issuer.js";
import { FileKeyStore } from "../../control/file/file-key-store.js";
import { Scope } from "../../gen/waybill/auth/v1/authorization_pb.js";
import type { Config } from "../config/config-schema.js";
import { DEMO_PRINCIPAL } from "../config/demo-config.js";
import { VERSION } from "../operators/version.js";
import { readConsoleFiles } from "./console-files.js";
import { CONSOLE_PATH, consoleRoutes, type PageSettings } from "./console-routes.js";
import { DemoCodes } from "./demo-codes.js";
import { demoSessionRoute } from "./demo-session-route.js";
import { namedUrl, originsOf, reachableUrl } from "./loopback.js";

/** Addresses that become known as the services start to listen. */
export interface ConsoleAddresses {
  readonly integrityUrl?: string | undefined;
  readonly messagingDataUrl?: string | undefined;
}

/** The web console, served by the messaging-data service. */
export interface Console {
  readonly plainRoutes: readonly PlainRoute[];
  /** Returns a single-use link that signs in to the demo; undefined if there is no demo. */
  demoLink(): string | undefined;
}

/**
 * Opens the console.
 *
 * @returns undefined if the console is off or has not been built.
 * @throws KeyError if the local issuer's key cannot be read.
 */
export async function openConsole(
  config: Config,
  addresses: ConsoleAddresses,
  logger: Logger,
): Promise<Console | undefined> {
  if (config.console === false) return undefined;
  const files = await readConsoleFiles();
  if (files === undefined) {
    logger.warn("the console is not served, since it has not been built: run npm run build");
    return undefined;
  }
  const { oauth } = config.console;
  const settings = (): PageSettings => pageSettings(config, addresses);
  const connectsTo = (): string[] => {
    const { integrityUrl } = settings();
    return [
      ...(integrityUrl === null ? [] : [new URL(integrityUrl).origin]),
      ...(oauth === undefined ? [] : [new URL(oauth.issuer).origin, ...oauth.origins]),
    ];
  };
  const plainRoutes = consoleRoutes({ files, settings, connectsTo });
  if (!config.demo || !config.auth.localIssuer) return { plainRoutes, demoLink: () => undefined };

  const codes = new DemoCodes();
  const demoSession = demoSessionRoute({
    codes,
    issuer: await openLocalIssuer(new FileKeyStore(config.dataDir)),
    principal: DEMO_PRINCIPAL,
    scopes: [new ScopeNames(config.auth.scopeBase).nameOf(Scope.PLATFORM)],
    issued: (requestId, token) => logger.info({ requestId, ...token }, "an access token was issued"),
  });
  return {
    plainRoutes: [...plainRoutes, demoSession],
    demoLink: () => {
      const base = config.messagingDataUrl ?? addresses.messagingDataUrl;
      // The code is in the fragment, which browsers never send.
      return base && `${reachableUrl(base)}${CONSOLE_PATH}#code=${codes.issue()}`;
    },
  };
}

/** Returns the possible origins of the page; empty if the console is off or its address is not yet known. */
export function consoleOrigins(config: Config, { messagingDataUrl }: ConsoleAddresses): string[] {
  if (config.console === false) return [];
  const base = config.messagingDataUrl ?? messagingDataUrl;
  return base === undefined ? [] : originsOf(base);
}

function pageSettings(config: Config, addresses: ConsoleAddresses): PageSettings {
  const integrityUrl = config.integrityUrl ?? addresses.integrityUrl;
  const scopeBase = config.auth.scopeBase.replace(/\/+$/, "");
  const settings = {
    integrityUrl: integrityUrl === undefined ? null : namedUrl(integrityUrl),
    version: VERSION,
    settleDelayMs: config.messagingData.settleDelay,
    scopeBase,
  };
  if (config.console === false || config.console.oauth === undefined) return settings;
  const { issuer, clientId, scope = `openid email ${scopeBase}/platform` } = config.console.oauth;
  return { ...settings, oauth: { issuer, clientId, scope } };
}
