import { createRequire } from "node:module";
import type { Page } from "../data/delivery-data.js";
import type { Server } from "./server.js";

/** Parts of the public client that tests use. Its types are not available if only Waybill's packages are installed. */
interface Google {
  readonly auth: { readonly OAuth2: new () => { setCredentials(credentials: object): void } };
  firebaseappcheck(options: object): {
    projects: { apps: { appAttestConfig: { get: Call<{ name: string; tokenTtl: string }> } } };
  };
  fcmdata(options: object): { projects: { androidApps: { deliveryData: { list: Call<Page> } } } };
  firebase(options: object): FirebaseClient;
  cloudresourcemanager(options: object): ResourceManagerClient;
}

export type Resource = Readonly<Record<string, unknown>>;

interface AppMethods {
  readonly create: Call<Resource>;
  readonly get: Call<Resource>;
  readonly list: Call<{ readonly apps?: readonly Resource[]; readonly nextPageToken?: string }>;
  readonly patch: Call<Resource>;
  readonly remove: Call<Resource>;
  readonly undelete: Call<Resource>;
  readonly getConfig: Call<Resource>;
}

export interface FirebaseClient {
  readonly projects: {
    readonly list: Call<{ readonly results?: readonly Resource[]; readonly nextPageToken?: string }>;
    readonly get: Call<Resource>;
    readonly patch: Call<Resource>;
    readonly addFirebase: Call<Resource>;
    readonly searchApps: Call<{ readonly apps?: readonly Resource[] }>;
    readonly iosApps: AppMethods;
    readonly androidApps: AppMethods;
    readonly webApps: AppMethods;
  };
}

export interface ResourceManagerClient {
  readonly projects: {
    readonly create: Call<Resource>;
    readonly delete: Call<Resource>;
    readonly undelete: Call<Resource>;
    readonly getIamPolicy: Call<Policy>;
    readonly setIamPolicy: Call<Policy>;
    readonly testIamPermissions: Call<{ readonly permissions?: readonly string[] }>;
  };
  readonly operations: { readonly get: Call<Resource> };
}

interface Policy {
  readonly etag: string;
  readonly bindings: readonly { readonly role: string; readonly members: readonly string[] }[];
}
type Call<T> = (parameters: object, options?: object) => Promise<{ status: number; data: T }>;

// The published client, installed separately from Waybill's own packages.
const require = createRequire(new URL("../../clients/package.json", import.meta.url));
const { google } = require("googleapis") as { google: Google };

/** The two read methods of the `googleapis` client, authorized with a token as in an application. */
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

/** Public clients for the registry, authorized with a token as in an application. */
export function googleRegistryClients({ registryUrl }: Pick<Server, "registryUrl">, token: string) {
  const auth = new google.auth.OAuth2();
  auth.setCredentials({ access_token: token });
  const rootUrl = `${registryUrl}/`;
  return {
    firebase: google.firebase({ version: "v1beta1", rootUrl, auth }),
    resourceManager: google.cloudresourcemanager({ version: "v1", rootUrl, auth }),
  };
}
