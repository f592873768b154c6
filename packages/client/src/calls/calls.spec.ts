import { getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, test } from "vitest";
import { http } from "../gen/google/api/annotations_pb.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { type Call, urlOf } from "./call.js";
import {
  batchGetAppAttestConfigsCall,
  getAppAttestConfigCall,
  listAppsCall,
  updateAppAttestConfigCall,
} from "./integrity-calls.js";
import {
  aggregateDeliveryDataCall,
  importMessageEventsCalls,
  listAndroidAppsCall,
  listDeliveryDataCall,
  listIncidentsCall,
  listMirrorGapsCall,
  listProjectsCall,
} from "./messaging-data-calls.js";

import {
  createDebugTokenCall,
  deleteDebugTokenCall,
  exchangeDebugTokenCall,
  getDebugTokenCall,
  listDebugTokensCall,
  updateDebugTokenCall,
  verifyAppCheckTokenCall,
} from "./token-calls.js";

const BASE = new URL("http://host/below/");
const APP = { project: "shop", app: "1:5:android:a b" };
const LIST = "v1beta1/projects/shop/androidApps/1%3A5%3Aandroid%3Aa%20b/deliveryData";
const INCIDENTS = "v1beta1/projects/shop/androidApps/1%3A5%3Aandroid%3Aa%20b/incidents";
const CONFIG = "v1/projects/shop/apps/1%3A5%3Aandroid%3Aa%20b/appAttestConfig";
const NAME = "projects/shop/apps/1:5:android:a b/appAttestConfig";
const PAGE = { pageSize: 7 };
const TOKENS = "v1/projects/shop/apps/1%3A5%3Aandroid%3Aa%20b/debugTokens";
const TOKEN = "projects/shop/apps/1:5:android:a b/debugTokens/d";

type Method = keyof typeof IntegrityService.method | keyof typeof MessagingDataService.method;

/** Calls of all methods with all parameters, and their expected paths and queries. */
const CALLS: Readonly<Record<Method, readonly [call: Call, target: string]>> = {
  listApps: [
    listAppsCall({ project: "shop", ...PAGE }, "t+/="),
    "v1/projects/shop/apps?pageSize=7&pageToken=t%2B%2F%3D",
  ],
  getAppAttestConfig: [getAppAttestConfigCall(APP), CONFIG],
  batchGetAppAttestConfigs: [
    batchGetAppAttestConfigsCall({ project: "shop", apps: ["a", "b"] }),
    "v1/projects/shop/apps/-/appAttestConfig:batchGet" +
      "?names=projects%2Fshop%2Fapps%2Fa%2FappAttestConfig&names=projects%2Fshop%2Fapps%2Fb%2FappAttestConfig",
  ],
  updateAppAttestConfig: [
    updateAppAttestConfigCall({ appAttestConfig: { name: NAME, tokenTtl: "3600s" }, updateMask: "tokenTtl" }),
    `${CONFIG}?updateMask=tokenTtl`,
  ],
  exchangeDebugToken: [
    exchangeDebugTokenCall({ ...APP, debugToken: "s", limitedUse: true }),
    TOKENS.replace("/debugTokens", ":exchangeDebugToken"),
  ],
  verifyAppCheckToken: [
    verifyAppCheckTokenCall({ project: "shop", appCheckToken: "t" }),
    "v1/projects/shop:verifyAppCheckToken",
  ],
  createDebugToken: [createDebugTokenCall({ ...APP, displayName: "CI", token: "s" }), TOKENS],
  getDebugToken: [getDebugTokenCall({ name: TOKEN }), `${TOKENS}/d`],
  listDebugTokens: [listDebugTokensCall({ ...APP, ...PAGE }, "t"), `${TOKENS}?pageSize=7&pageToken=t`],
  updateDebugToken: [
    updateDebugTokenCall({ name: TOKEN, displayName: "CI" }),
    `${TOKENS}/d?updateMask=displayName`,
  ],
  deleteDebugToken: [deleteDebugTokenCall({ name: TOKEN }), `${TOKENS}/d`],
  listAndroidDeliveryData: [
    listDeliveryDataCall(
      { ...APP, filter: 'date = "2025-03-01"', asOf: "2026-11-14T08:00:00Z", ...PAGE },
      "t",
    ),
    `${LIST}?filter=date+%3D+%222025-03-01%22&asOf=2026-11-14T08%3A00%3A00Z&pageSize=7&pageToken=t`,
  ],
  aggregateAndroidDeliveryData: [
    aggregateDeliveryDataCall({ ...APP, filter: "x", groupBy: ["DATE", "ANALYTICS_LABEL"] }),
    `${LIST}:aggregate?filter=x&groupBy=DATE&groupBy=ANALYTICS_LABEL`,
  ],
  listAndroidIncidents: [
    listIncidentsCall({ ...APP, filter: "NOT endDate:*", ...PAGE }, "t"),
    `${INCIDENTS}?filter=NOT+endDate%3A*&pageSize=7&pageToken=t`,
  ],
  listAndroidMirrorGaps: [
    listMirrorGapsCall({ ...APP, ...PAGE }, "t"),
    `${LIST.replace(/[^/]+$/, "mirrorGaps")}?pageSize=7&pageToken=t`,
  ],
  listProjects: [listProjectsCall(PAGE, "t"), "v1beta1/projects?pageSize=7&pageToken=t"],
  listAndroidApps: [
    listAndroidAppsCall({ project: "shop", ...PAGE }, "t"),
    "v1beta1/projects/shop/androidApps?pageSize=7&pageToken=t",
  ],
  importMessageEvents: [
    importMessageEventsCalls("shop", true)(new Uint8Array(2)),
    "v1beta1/projects/shop/messageEvents:import?skipInvalid=true",
  ],
};

describe.each([...IntegrityService.methods, ...MessagingDataService.methods])(
  "the call of $name",
  (method) => {
    const [call, target] = CALLS[method.localName as Method];

    it("has the expected path and query", () => {
      expect(urlOf(call, BASE).href).toBe(`http://host/below/${target}`);
    });

    it("matches the HTTP rule in the contract", () => {
      const { pattern } = getOption(method, http);
      if (pattern.case === undefined || pattern.case === "custom") throw new Error("the rule has no pattern");
      const path = pattern.value.replace(/\{[\w.]+=([^}]*)\}/g, "$1").replaceAll("*", "[^/]+");
      expect(call.httpMethod).toBe(pattern.case.toUpperCase());
      expect(`/${call.path}`).toMatch(new RegExp(`^${path}$`));
      const fields = method.input.fields.map(({ jsonName }) => jsonName);
      expect(fields).toEqual(expect.arrayContaining(Object.keys(call.query ?? {})));
    });

    it("is repeatable if the method has no side effects", () => {
      const isRead = method.idempotency === IdempotencyLevel.NO_SIDE_EFFECTS;
      if (isRead) expect(call).toMatchObject({ httpMethod: "GET", repeatable: true });
      else expect(call.httpMethod === "DELETE" || call.body !== undefined).toBe(true);
    });
  },
);

describe("updateAppAttestConfigCall", () => {
  const callOf = (etag?: string): Call =>
    updateAppAttestConfigCall({
      appAttestConfig: { name: NAME, tokenTtl: "3600s", ...(etag !== undefined && { etag }) },
      updateMask: "tokenTtl",
    });

  test.each([
    ["an etag", '"1"', true],
    ["an empty etag, which protects nothing", "", false],
    ["no etag", undefined, false],
  ])("with %s is repeatable: %s %s", (_, etag, repeatable) => {
    expect(callOf(etag).repeatable).toBe(repeatable);
  });

  it("sends the configuration as JSON", () => {
    expect(callOf('"1"').body).toEqual({
      type: "application/json",
      content: JSON.stringify({ name: NAME, tokenTtl: "3600s", etag: '"1"' }),
    });
  });
});

it("omits optional parameters that are not set", () => {
  const calls = [
    listDeliveryDataCall(APP),
    aggregateDeliveryDataCall(APP),
    listIncidentsCall(APP),
    listProjectsCall({}),
  ];
  expect(calls.map((call) => urlOf(call, BASE).search)).toEqual(["", "", "", ""]);
});
