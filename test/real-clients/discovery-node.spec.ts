import { createRequire } from "node:module";
import { describe, expect } from "vitest";
import { accepted, entryName, type Page } from "../support/data/delivery-data.js";
import { ndjson } from "../support/data/import.js";
import { ENTRIES, importEntries, PARENT } from "../support/data/labelled-entries.js";
import { test as serving } from "../support/servers/fixtures.js";
import { IOS_APP, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";

/** Parts of the public client that the tests use. */
interface Google {
  readonly auth: { readonly OAuth2: new () => { setCredentials(credentials: object): void } };
  discoverAPI(url: string, options: object): Promise<object>;
}
type Call<T> = (parameters: object, options?: object) => Promise<{ status: number; data: T }>;
interface AppAttestConfig {
  readonly name: string;
  readonly tokenTtl: string;
}
interface Integrity {
  readonly projects: {
    readonly apps: {
      readonly appAttestConfig: {
        readonly get: Call<AppAttestConfig>;
        readonly batchGet: Call<{ readonly configs: readonly AppAttestConfig[] }>;
        readonly patch: Call<AppAttestConfig>;
      };
    };
  };
}
interface MessagingData {
  readonly projects: {
    readonly androidApps: { readonly deliveryData: { readonly list: Call<Page> } };
    readonly messageEvents: { readonly import: Call<{ readonly importedCount: string }> };
  };
}

const require = createRequire(new URL("../clients/package.json", import.meta.url));
const { google } = require("googleapis") as { google: Google };

const nameOf = (app: string, project: string = PROJECT.id): string =>
  `projects/${project}/apps/${app}/appAttestConfig`;
let integrity: Integrity;
let messagingData: MessagingData;

const test = serving
  /** Both services, as the client builds them from their descriptions. */
  .extend(
    "discovered",
    { scope: "file" },
    ({ server }) =>
      async (token: string): Promise<[Integrity, MessagingData]> => {
        const auth = new google.auth.OAuth2();
        auth.setCredentials({ access_token: token });
        const discover = (url: string, version: string) =>
          google.discoverAPI(`${url}/$discovery/rest?version=${version}`, { auth });
        return Promise.all([
          discover(server.integrityUrl, "v1") as Promise<Integrity>,
          discover(server.messagingDataUrl, "v1beta1") as Promise<MessagingData>,
        ]);
      },
  );

test.beforeAll(async ({ server, editor, discovered }) => {
  await importEntries(server, editor);
  [integrity, messagingData] = await discovered(editor);
});

describe("a Node.js client that is built from the discovery documents", () => {
  test("gets one configuration, and several configurations", async () => {
    const { get, batchGet } = integrity.projects.apps.appAttestConfig;
    const whole = { name: nameOf("app-7d", PROJECT.number), tokenTtl: "604800s" };
    expect((await get({ name: nameOf("app-7d") })).data).toEqual(whole);
    expect((await get({ name: nameOf("app-7d"), fields: "tokenTtl" })).data).toEqual({ tokenTtl: "604800s" });
    const several = { parent: `projects/${PROJECT.id}`, names: [nameOf("app-7d"), nameOf(IOS_APP)] };
    expect((await batchGet(several)).data.configs).toEqual([
      whole,
      { name: nameOf(IOS_APP, PROJECT.number), tokenTtl: "3600s" },
    ]);
  });

  test("changes a configuration", async () => {
    const { get, patch } = integrity.projects.apps.appAttestConfig;
    const name = nameOf("app-7d");
    const change = (tokenTtl: string) => patch({ name, updateMask: "tokenTtl", requestBody: { tokenTtl } });
    expect((await change("7200s")).data.tokenTtl).toBe("7200s");
    expect((await get({ name })).data.tokenTtl).toBe("7200s");
    expect((await change("604800s")).data.tokenTtl).toBe("604800s");
  });

  test("reads all pages of the list", async () => {
    const { list } = messagingData.projects.androidApps.deliveryData;
    const pages: string[][] = [];
    for (let pageToken: string | undefined; ; ) {
      const { data } = await list({ parent: PARENT, pageSize: 5, pageToken });
      pages.push((data.androidDeliveryData ?? []).map(entryName));
      pageToken = data.nextPageToken;
      if (pageToken === undefined) break;
    }
    expect(pages).toEqual([ENTRIES.slice(0, 5), ENTRIES.slice(5, 10), ENTRIES.slice(10)]);
  });

  test("imports events", async () => {
    const { data } = await messagingData.projects.messageEvents.import({
      parent: `projects/${PROJECT.id}`,
      requestBody: ndjson([accepted("some-app", "2026-01-02T20:00:00Z")]),
      headers: { "content-type": "application/x-ndjson" },
    });
    expect(data).toEqual({ importedCount: "1" });
  });

  test.each<[name: string, call: () => Promise<unknown>, status: number, reason: string]>([
    [
      "for an unknown app",
      () => integrity.projects.apps.appAttestConfig.get({ name: nameOf("missing") }),
      404,
      "RESOURCE_NOT_FOUND",
    ],
    [
      "for a project without access",
      () => integrity.projects.apps.appAttestConfig.get({ name: nameOf(IOS_APP, OTHER_PROJECT.id) }),
      403,
      "PERMISSION_MISSING",
    ],
    [
      "for an invalid page size",
      () => messagingData.projects.androidApps.deliveryData.list({ parent: PARENT, pageSize: -1 }),
      400,
      "INVALID_PAGE_SIZE",
    ],
    [
      "for a body without events",
      () =>
        messagingData.projects.messageEvents.import({
          parent: `projects/${PROJECT.id}`,
          requestBody: { contentType: "application/x-ndjson" },
        }),
      415,
      "UNSUPPORTED_MEDIA_TYPE",
    ],
  ])("throws the server's error: %s", async (_name, call, status, reason) => {
    const failure = await call().then(
      () => Promise.reject(new Error("the call succeeded")),
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ status, response: { data: { error: { code: status } } } });
    expect(JSON.stringify((failure as { response: { data: object } }).response.data)).toContain(reason);
  });

  test("detects missing required parameters before it calls the server", async () => {
    const { patch } = integrity.projects.apps.appAttestConfig;
    await expect(patch({ name: nameOf(IOS_APP), requestBody: {} })).rejects.toThrow(
      "Missing required parameters: updateMask",
    );
  });
});
