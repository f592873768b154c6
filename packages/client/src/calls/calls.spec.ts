import { getOption } from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, test } from "vitest";
import { http } from "../gen/google/api/annotations_pb.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { RegistryService } from "../gen/waybill/registry/v1/registry_pb.js";
import {
  deleteAttestedKeyCall,
  exchangeAssertionCall,
  exchangeAttestationCall,
  generateChallengeCall,
  getAttestedKeyCall,
  listAttestedKeysCall,
} from "./app-attest-calls.js";
import {
  type AppPlatform,
  createAppCall,
  getAppCall,
  getAppConfigCall,
  listRegisteredAppsCall,
  removeAppCall,
  searchAppsCall,
  undeleteAppCall,
  updateAppCall,
} from "./app-calls.js";
import { type Call, urlOf } from "./call.js";
import {
  acknowledgeIncidentCall,
  getIncidentCall,
  reopenIncidentCall,
  updateIncidentCall,
} from "./incident-calls.js";
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
  addFirebaseCall,
  createProjectCall,
  deleteProjectCall,
  getIamPolicyCall,
  getOperationCall,
  getProjectCall,
  listAuditEntriesCall,
  listRegistryProjectsCall,
  setIamPolicyCall,
  testIamPermissionsCall,
  undeleteProjectCall,
  updateProjectCall,
} from "./registry-calls.js";
import {
  createResourceCall,
  deleteResourceCall,
  getResourceCall,
  listResourcesCall,
  type ResourceCollection,
  updateResourceCall,
} from "./resource-calls.js";
import {
  createDebugTokenCall,
  deleteDebugTokenCall,
  exchangeCustomTokenCall,
  exchangeDebugTokenCall,
  getDebugTokenCall,
  listAttestationFailuresCall,
  listAttestationTokenCountsCall,
  listDebugTokensCall,
  updateDebugTokenCall,
  verifyAppCheckTokenCall,
} from "./token-calls.js";
import { shareViewCall, unshareViewCall } from "./view-calls.js";

const BASE = new URL("http://host/below/");
const APP = { project: "shop", app: "1:5:android:a b" };
const LIST = "v1beta1/projects/shop/androidApps/1%3A5%3Aandroid%3Aa%20b/deliveryData";
const INCIDENTS = "v1beta1/projects/shop/androidApps/1%3A5%3Aandroid%3Aa%20b/incidents";
const INCIDENT = { name: "projects/shop/androidApps/1:5:android:a b/incidents/1d", etag: "e" };
const CONFIG = "v1/projects/shop/apps/1%3A5%3Aandroid%3Aa%20b/appAttestConfig";
const NAME = "projects/shop/apps/1:5:android:a b/appAttestConfig";
const PAGE = { pageSize: 7 };
const TOKENS = "v1/projects/shop/apps/1%3A5%3Aandroid%3Aa%20b/debugTokens";
const TOKEN = "projects/shop/apps/1:5:android:a b/debugTokens/d";

const KEYS = TOKENS.replace("debugTokens", "attestedKeys");
const KEY = "projects/shop/apps/1:5:android:a b/attestedKeys/k";

const PROJECT = { project: "shop" };
const VIEW = { name: "projects/shop/views/v" };

type Expected<Method extends string> = Readonly<Record<Method, readonly [call: Call, target: string]>>;

/** A call of each method with all its parameters, and the expected path and query. */
const CALLS: Expected<keyof typeof IntegrityService.method | keyof typeof MessagingDataService.method> = {
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
  exchangeCustomToken: [
    exchangeCustomTokenCall({ ...APP, customToken: "t" }),
    TOKENS.replace("/debugTokens", ":exchangeCustomToken"),
  ],
  verifyAppCheckToken: [
    verifyAppCheckTokenCall({ project: "shop", appCheckToken: "t" }),
    "v1/projects/shop:verifyAppCheckToken",
  ],
  createDebugToken: [createDebugTokenCall({ ...APP, displayName: "CI", token: "s" }), TOKENS],
  getDebugToken: [getDebugTokenCall({ name: TOKEN }), `${TOKENS}/d`],
  listAttestationFailures: [
    listAttestationFailuresCall({ ...APP, ...PAGE }, "t"),
    `${TOKENS.replace("debugTokens", "attestationFailures")}?pageSize=7&pageToken=t`,
  ],
  listAttestationTokenCounts: [
    listAttestationTokenCountsCall({ ...APP, ...PAGE }, "t"),
    `${TOKENS.replace("debugTokens", "attestationTokenCounts")}?pageSize=7&pageToken=t`,
  ],
  listDebugTokens: [listDebugTokensCall({ ...APP, ...PAGE }, "t"), `${TOKENS}?pageSize=7&pageToken=t`],
  updateDebugToken: [
    updateDebugTokenCall({ name: TOKEN, displayName: "CI" }),
    `${TOKENS}/d?updateMask=displayName`,
  ],
  deleteDebugToken: [deleteDebugTokenCall({ name: TOKEN }), `${TOKENS}/d`],
  generateAppAttestChallenge: [
    generateChallengeCall(APP),
    TOKENS.replace("/debugTokens", ":generateAppAttestChallenge"),
  ],
  exchangeAppAttestAttestation: [
    exchangeAttestationCall({ ...APP, attestationStatement: "AA==", challenge: "AA==", keyId: "AA==" }),
    TOKENS.replace("/debugTokens", ":exchangeAppAttestAttestation"),
  ],
  exchangeAppAttestAssertion: [
    exchangeAssertionCall({
      ...APP,
      artifact: "AA==",
      assertion: "AA==",
      challenge: "AA==",
      limitedUse: true,
    }),
    TOKENS.replace("/debugTokens", ":exchangeAppAttestAssertion"),
  ],
  listAttestedKeys: [listAttestedKeysCall({ ...APP, ...PAGE }, "t"), `${KEYS}?pageSize=7&pageToken=t`],
  getAttestedKey: [getAttestedKeyCall({ name: KEY }), `${KEYS}/k`],
  deleteAttestedKey: [deleteAttestedKeyCall({ name: KEY }), `${KEYS}/k`],
  listAndroidDeliveryData: [
    listDeliveryDataCall(
      { ...APP, filter: 'date = "2025-03-01"', asOf: "2026-11-14T08:00:00Z", ...PAGE },
      "t",
    ),
    `${LIST}?filter=date+%3D+%222025-03-01%22&asOf=2026-11-14T08%3A00%3A00Z&pageSize=7&pageToken=t`,
  ],
  aggregateAndroidDeliveryData: [
    aggregateDeliveryDataCall({
      ...APP,
      filter: "x",
      groupBy: ["DATE", "ANALYTICS_LABEL"],
      usualDatesOnly: true,
    }),
    `${LIST}:aggregate?filter=x&groupBy=DATE&groupBy=ANALYTICS_LABEL&usualDatesOnly=true`,
  ],
  listAndroidIncidents: [
    listIncidentsCall({ ...APP, filter: "NOT endDate:*", ...PAGE }, "t"),
    `${INCIDENTS}?filter=NOT+endDate%3A*&pageSize=7&pageToken=t`,
  ],
  getAndroidIncident: [getIncidentCall(INCIDENT), `${INCIDENTS}/1d`],
  updateAndroidIncident: [
    updateIncidentCall({ ...INCIDENT, note: "known" }),
    `${INCIDENTS}/1d?updateMask=note`,
  ],
  acknowledgeAndroidIncident: [acknowledgeIncidentCall(INCIDENT), `${INCIDENTS}/1d:acknowledge`],
  reopenAndroidIncident: [reopenIncidentCall(INCIDENT), `${INCIDENTS}/1d:reopen`],
  listAndroidMirrorGaps: [
    listMirrorGapsCall({ ...APP, ...PAGE }, "t"),
    `${LIST.replace(/[^/]+$/, "mirrorGaps")}?pageSize=7&pageToken=t`,
  ],
  ...resourceMethodCalls("annotations", "Annotation"),
  ...resourceMethodCalls("targets", "Target"),
  ...resourceMethodCalls("views", "View"),
  shareView: [shareViewCall({ ...VIEW, expireTime: new Date(0) }), "v1beta1/projects/shop/views/v:share"],
  unshareView: [unshareViewCall(VIEW), "v1beta1/projects/shop/views/v:unshare"],
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

/** Returns the expected calls for a collection of resources. @param one name of its message. */
function resourceMethodCalls<One extends string>(collection: ResourceCollection, one: One) {
  const below = `v1beta1/projects/shop/${collection}`;
  const ref = { name: `projects/shop/${collection}/a b` };
  const path = `${below}/a%20b`;
  const expected = {
    [`create${one}`]: [createResourceCall(collection, { ...PROJECT, resource: { text: "a" } }), below],
    [`get${one}`]: [getResourceCall(collection, ref), path],
    [`list${one}s`]: [
      listResourcesCall(collection, { ...PROJECT, ...PAGE }, "t"),
      `${below}?pageSize=7&pageToken=t`,
    ],
    [`update${one}`]: [
      updateResourceCall(collection, { resource: ref, updateMask: "text" }),
      `${path}?updateMask=text`,
    ],
    [`delete${one}`]: [deleteResourceCall(collection, { ...ref, etag: "e" }), `${path}?etag=e`],
  };
  return expected as unknown as Expected<`${"create" | "delete" | "get" | "update"}${One}` | `list${One}s`>;
}

/** Returns the expected calls for apps on one platform. @param kind platform as in method names, such as `Ios`. */
function appCalls(kind: string, platform: AppPlatform, collection: string): Expected<string> {
  const below = `v1beta1/projects/shop/${collection}`;
  const ref = { ...PROJECT, platform, app: "1:5:x:a b" };
  const path = `${below}/1%3A5%3Ax%3Aa%20b`;
  const name = `projects/shop/${collection}/1:5:x:a b`;
  return {
    [`create${kind}App`]: [createAppCall({ ...PROJECT, platform, app: { displayName: "Shop" } }), below],
    [`get${kind}App`]: [getAppCall(ref), path],
    [`get${kind}AppConfig`]: [getAppConfigCall(ref), `${path}/config`],
    [`list${kind}Apps`]: [
      listRegisteredAppsCall({ ...PROJECT, platform, showDeleted: true, ...PAGE }, "t"),
      `${below}?showDeleted=true&pageSize=7&pageToken=t`,
    ],
    [`update${kind}App`]: [
      updateAppCall({ platform, app: { name, displayName: "Shop" }, updateMask: "displayName" }),
      `${path}?updateMask=displayName`,
    ],
    [`remove${kind}App`]: [removeAppCall({ ...ref, immediate: true }), `${path}:remove`],
    [`undelete${kind}App`]: [undeleteAppCall(ref), `${path}:undelete`],
  };
}

const REGISTRY_CALLS: Expected<string> = {
  listProjects: [
    listRegistryProjectsCall({ showDeleted: true, ...PAGE }, "t"),
    "v1beta1/projects?showDeleted=true&pageSize=7&pageToken=t",
  ],
  getProject: [getProjectCall(PROJECT), "v1beta1/projects/shop"],
  createProject: [createProjectCall({ projectId: "shop", displayName: "Shop" }), "v1/projects"],
  addFirebase: [addFirebaseCall(PROJECT), "v1beta1/projects/shop:addFirebase"],
  updateProject: [
    updateProjectCall({
      project: { name: "projects/shop", displayName: "Shop" },
      updateMask: "displayName",
    }),
    "v1beta1/projects/shop?updateMask=displayName",
  ],
  deleteProject: [deleteProjectCall(PROJECT), "v1/projects/shop"],
  undeleteProject: [undeleteProjectCall(PROJECT), "v1/projects/shop:undelete"],
  getOperation: [getOperationCall({ name: "operations/create.5" }), "v1/operations/create.5"],
  searchApps: [
    searchAppsCall({ ...PROJECT, showDeleted: true, ...PAGE }, "t"),
    "v1beta1/projects/shop:searchApps?showDeleted=true&pageSize=7&pageToken=t",
  ],
  ...appCalls("Ios", "ios", "iosApps"),
  ...appCalls("Android", "android", "androidApps"),
  ...appCalls("Web", "web", "webApps"),
  getIamPolicy: [getIamPolicyCall(PROJECT), "v1/projects/shop:getIamPolicy"],
  setIamPolicy: [setIamPolicyCall({ ...PROJECT, policy: {} }), "v1/projects/shop:setIamPolicy"],
  testIamPermissions: [
    testIamPermissionsCall({ ...PROJECT, permissions: ["firebase.projects.get"] }),
    "v1/projects/shop:testIamPermissions",
  ],
  listAuditEntries: [
    listAuditEntriesCall(
      {
        project: "-",
        principal: "ada@example.com",
        method: "SetIamPolicy",
        startTime: "2026-11-01T00:00:00Z",
        endTime: "2026-11-02T00:00:00Z",
        ...PAGE,
      },
      "t",
    ),
    "v1/projects/-/auditEntries?principal=ada%40example.com&method=SetIamPolicy&startTime=2026-11-01T00%3A00%3A00Z" +
      "&endTime=2026-11-02T00%3A00%3A00Z&pageSize=7&pageToken=t",
  ],
};

describe.each([
  ...IntegrityService.methods.map((method) => ({ method, name: method.name, expected: CALLS })),
  ...MessagingDataService.methods.map((method) => ({ method, name: method.name, expected: CALLS })),
  ...RegistryService.methods.map((method) => ({
    method,
    name: `the registry's ${method.name}`,
    expected: REGISTRY_CALLS,
  })),
])("the call of $name", ({ method, expected }) => {
  const [call, target] = (expected as Expected<string>)[method.localName] ?? [];
  if (call === undefined) throw new Error(`no call of ${method.name} is expected`);

  it("has the expected path and query", () => {
    expect(urlOf(call, BASE).href).toBe(`http://host/below/${target}`);
  });

  it("matches the method's HTTP rule in the contract", () => {
    const { pattern } = getOption(method, http);
    if (pattern.case === undefined || pattern.case === "custom") throw new Error("the rule has no pattern");
    const path = pattern.value.replace(/\{[\w.]+=([^}]*)\}/g, "$1").replaceAll("*", "[^/]+");
    expect(call.httpMethod).toBe(pattern.case.toUpperCase());
    expect(`/${call.path}`).toMatch(new RegExp(`^${path}$`));
    const fields = method.input.fields.map(({ jsonName }) => jsonName);
    expect(fields).toEqual(expect.arrayContaining(Object.keys(call.query ?? {})));
  });

  it("is repeatable if the contract declares no side effects", () => {
    const isRead = method.idempotency === IdempotencyLevel.NO_SIDE_EFFECTS;
    if (isRead) expect(call.repeatable).toBe(true);
    else if (call.httpMethod !== "DELETE") expect(call.body).toBeDefined();
  });
});

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
  ])("is repeatable for %s: %s %s", (_, etag, repeatable) => {
    expect(callOf(etag).repeatable).toBe(repeatable);
  });

  it("sends the configuration as JSON", () => {
    expect(callOf('"1"').body).toEqual({
      type: "application/json",
      content: JSON.stringify({ name: NAME, tokenTtl: "3600s", etag: '"1"' }),
    });
  });
});

it("a call omits optional parameters that are not set", () => {
  const calls = [
    listDeliveryDataCall(APP),
    aggregateDeliveryDataCall(APP),
    listIncidentsCall(APP),
    listProjectsCall({}),
  ];
  expect(calls.map((call) => urlOf(call, BASE).search)).toEqual(["", "", "", ""]);
});

test.each([
  [
    "a change of a project",
    (etag?: string) =>
      updateProjectCall({ project: { name: "projects/p", ...(etag && { etag }) }, updateMask: "*" }),
  ],
  [
    "a change of a policy",
    (etag?: string) => setIamPolicyCall({ ...PROJECT, policy: { ...(etag && { etag }) } }),
  ],
  ["an acknowledgement", (etag?: string) => acknowledgeIncidentCall({ ...INCIDENT, etag })],
  ["a change of a note", (etag?: string) => updateIncidentCall({ ...INCIDENT, note: "", etag })],
  ["a removal of an app", (etag?: string) => removeAppCall({ ...PROJECT, platform: "ios", app: "a", etag })],
])("%s is repeatable only with an etag", (_, callOf) => {
  expect([callOf("1").repeatable, callOf().repeatable]).toEqual([true, false]);
});

test.each([
  ["a new name of a debug token", updateDebugTokenCall({ name: TOKEN, displayName: "CI" })],
  ["unsharing a view", unshareViewCall(VIEW)],
])("%s is not repeatable, because it could undo another change", (_, { repeatable }) => {
  expect(repeatable).toBe(false);
});
