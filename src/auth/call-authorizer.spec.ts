import { create, createFileRegistry } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, it, test } from "vitest";
import { Role } from "../gen/waybill/auth/v1/authorization_pb.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { AccessControl } from "./access-control.js";
import { Authenticator } from "./authenticator.js";
import { CallAuthorizer } from "./call-authorizer.js";
import { fixedKeys } from "./key-source.js";
import { RateLimiter } from "./rate-limiter.js";
import { ScopeNames } from "./scopes.js";
import { ManualClock } from "./testing/manual-clock.js";
import { refusalOf } from "./testing/refusal-of.js";
import { signingKey } from "./testing/signing-key.js";

const { getAppAttestConfig: get } = IntegrityService.method;
const { listAndroidDeliveryData: list, importMessageEvents } = MessagingDataService.method;
const METHODS = { get, list, import: importMessageEvents };

const BASE = "https://www.googleapis.com/auth";
const PROJECT = { id: "alpha", number: "111111111111" };

const key = await signingKey("key");
let authorizer: CallAuthorizer<typeof PROJECT>;

function authorizerWith(rateLimiter?: RateLimiter): CallAuthorizer<typeof PROJECT> {
  const scopeNames = new ScopeNames();
  const keys = fixedKeys({ keys: [key.publicJwk] });
  return new CallAuthorizer([IntegrityService, MessagingDataService], {
    authenticator: new Authenticator([{ issuer: "issuer", keys }], { scopeNames }),
    scopeNames,
    accessControl: new AccessControl(
      [
        { principal: "viewer", projects: ["alpha"], role: Role.VIEWER },
        { principal: "editor", projects: ["alpha"], role: Role.EDITOR },
      ],
      (name) => (name === PROJECT.id || name === PROJECT.number ? PROJECT : undefined),
    ),
    rateLimiter,
  });
}

async function header(principal: string, scope: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const claims = { iss: "issuer", aud: "waybill", sub: principal, exp, scope: `${BASE}/${scope}` };
  return `Bearer ${await key.sign(claims)}`;
}

beforeEach(() => {
  authorizer = authorizerWith();
});

const INSUFFICIENT = "ACCESS_TOKEN_SCOPE_INSUFFICIENT";

describe("CallAuthorizer", () => {
  test.each<[keyof typeof METHODS, string, string, string]>([
    ["get", "viewer", "platform", "admitted"],
    ["get", "viewer", "app-platform", "admitted"],
    ["get", "viewer", "other", INSUFFICIENT],
    ["list", "viewer", "platform", "admitted"],
    ["list", "viewer", "cloud-platform", "admitted"],
    ["list", "viewer", "app-platform", INSUFFICIENT],
    ["list", "stranger", "app-platform", INSUFFICIENT],
    ["list", "stranger", "platform", "PERMISSION_MISSING"],
    ["import", "editor", "platform", "admitted"],
    ["import", "viewer", "platform", "PERMISSION_MISSING"],
    ["import", "editor", "app-platform", INSUFFICIENT],
  ])("%s by %s with the scope %s: %s", async (method, principal, scope, outcome) => {
    const authorization = await header(principal, scope);
    const call = async () => (await authorizer.authorize(METHODS[method], authorization))("alpha");
    if (outcome === "admitted") {
      expect(await call()).toMatchObject({ principal: { name: principal }, project: PROJECT });
    } else {
      expect(await refusalOf(call)).toMatchObject({ reason: outcome, httpStatus: 403 });
    }
  });

  it("answers at once for a token that it knows", async () => {
    const authorization = await header("viewer", "platform");
    const first = await authorizer.authorize(list, authorization);
    const second = authorizer.authorize(list, authorization);
    if (second instanceof Promise) throw new Error("it has to be waited for");
    expect(second(PROJECT.number)).toEqual(first("alpha"));
  });

  it("names the scopes that would do", async () => {
    const authorization = await header("viewer", "other");
    const refusal = await refusalOf(() => authorizer.authorize(get, authorization));
    const scope = `${BASE}/platform ${BASE}/app-platform`;
    expect(refusal.metadata).toEqual({ scope });
    expect(refusal.headers["www-authenticate"]).toBe(
      `Bearer realm="waybill", error="insufficient_scope", scope="${scope}"`,
    );
  });

  it("limits whoever has credentials, before it looks at scopes", async () => {
    authorizer = authorizerWith(new RateLimiter(1, new ManualClock()));
    const authorization = await header("viewer", "app-platform");
    const call = async () => authorizer.authorize(list, authorization);
    expect((await refusalOf(call)).reason).toBe(INSUFFICIENT);
    expect((await refusalOf(call)).reason).toBe("RATE_LIMIT_EXCEEDED");
    const none = await refusalOf(() => authorizer.authorize(list, undefined));
    expect(none.reason).toBe("CREDENTIALS_MISSING");
  });

  it("does not start with a method that says nothing of its callers", () => {
    const type = ".open.Nothing";
    const file = {
      name: "open.proto",
      package: "open",
      syntax: "proto3",
      messageType: [{ name: "Nothing" }],
      service: [{ name: "Open", method: [{ name: "Enter", inputType: type, outputType: type }] }],
    };
    const open = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] })).getService(
      "open.Open",
    );
    const services = open === undefined ? [] : [open];
    const parts = { authenticator: new Authenticator([]), scopeNames: new ScopeNames() };
    const accessControl = new AccessControl([], () => undefined);
    expect(() => new CallAuthorizer(services, { ...parts, accessControl })).toThrow("open.Open.Enter");
  });
});
