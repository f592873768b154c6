import { createRequire } from "node:module";
import type { Page } from "../data/delivery-data.js";
import type { Server } from "./server.js";

/**
 * Parts of the public client that the tests use. Its own types are absent where only Waybill's packages
 * are installed.
 */
interface Google {
  readonly auth: { readonly OAuth2: new () => { setCredentials(credentials: object): void } };
  firebaseappcheck(options: object): {
    projects: { apps: { appAttestConfig: { get: Call<{ name: string; tokenTtl: string }> } } };
  };
  fcmdata(options: object): { projects: { androidApps: { deliveryData: { list: Call<Page> } } } };
}
type Call<T> = (parameters: object, options?: object) => Promise<{ status: number; data: T }>;

// The published client, installed separately from Waybill's own packages.
const require = createRequire(new URL("../../clients/package.json", import.meta.url));
const { google } = require("googleapis") as { google: Google };

/** The two reads of the `googleapis` client, authorized with a token as in an application. */
export function googleClient(
  { integrityUrl, messagingDataUrl }: Pick<Server, "integrityUrl" | "messagingDataUrl">,
  token: string,
) {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const appCheck = google.firebaseappcheck({ version: "v1", rootUrl: `${integrityUrl}/`, auth });
  const data = google.fcmdata({ version: "v1beta1", rootUrl: `${messagingDataUrl}/`, auth });
  const configs = appCheck.projects.apps.appAttestConfig;
  const deliveryData = data.projects.androidApps.deliveryData;
  return { get: configs.get.bind(configs), list: deliveryData.list.bind(deliveryData) };
}
