import {
  create,
  createFileRegistry,
  type DescMethod,
  type DescService,
  type MessageInitShape,
  setExtension,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, MethodOptionsSchema } from "@bufbuild/protobuf/wkt";
import { beforeEach, describe, expect, it, test } from "vitest";
import { resourceName } from "../api/testing/call-context.js";
import { http } from "../gen/google/api/annotations_pb.js";
import { HttpRuleSchema } from "../gen/google/api/http_pb.js";
import { AuthorizationSchema, authorization, Role, Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { IntegrityService } from "../gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";
import { fileRegistry } from "../registry/testing/file-registry.js";
import { CallAuthorizer } from "./call-authorizer.js";
import { RateLimiter } from "./rate-limiter.js";
import { ScopeNames } from "./scopes.js";
import { ManualClock } from "./testing/manual-clock.js";
import { rejectionOf } from "./testing/rejection-of.js";
import { signingKey } from "./testing/signing-key.js";
import { Authenticator } from "./tokens/authenticator.js";
import { fixedKeys } from "./tokens/key-source.js";

const { getAppAttestConfig: get } = IntegrityService.method;
const { listAndroidDeliveryData: list, importMessageEvents, listProjects } = MessagingDataService.method;
const METHODS = { get, list, import: importMessageEvents };

const BASE = "https://www.googleapis.com/auth";
const PROJECT = { id: "alpha", number: "111111111111", apps: [] };
const OTHER = { id: "beta", number: "222222222222", apps: [] };
const registry = await fileRegistry({
  projects: [PROJECT, OTHER],
  access: [
    { principal: "viewer", projects: ["alpha"], role: Role.VIEWER },
    { principal: "editor", projects: ["alpha"], role: Role.EDITOR },
  ],
});
const alpha = resourceName("projects/alpha");

const key = await signingKey("key");
let authorizer: CallAuthorizer;
let principalCalls: number;

function authorizerWith(rateLimiter?: RateLimiter, of = registry): CallAuthorizer {
  const scopeNames = new ScopeNames();
  const keys = fixedKeys({ keys: [key.publicJwk] });
  return new CallAuthorizer([IntegrityService, MessagingDataService], {
    authenticator: new Authenticator(
      ["issuer", "other issuer"].map((issuer) => ({ issuer, keys })),
      { scopeNames },
    ),
    scopeNames,
    registry: of,
    rateLimiter,
    principalCalls: { add: () => void principalCalls++ },
  });
}

async function header(principal: string, scope: string, iss = "issuer"): Promise<string> {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const claims = { iss, aud: "waybill", sub: principal, exp, scope: `${BASE}/${scope}` };
  return `Bearer ${await key.sign(claims)}`;
}

const authorize = (method: DescMethod, authorization: string | undefined) =>
  authorizer.authorize(method, authorization, () => "192.0.2.1");

beforeEach(() => {
  principalCalls = 0;
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
    ["list", "no-role", "app-platform", INSUFFICIENT],
    ["list", "no-role", "platform", "PERMISSION_MISSING"],
    ["import", "editor", "platform", "admitted"],
    ["import", "viewer", "platform", "PERMISSION_MISSING"],
    ["import", "editor", "app-platform", INSUFFICIENT],
  ])("decides a call of %s by %s with the scope %s as %s", async (method, principal, scope, outcome) => {
    const authorization = await header(principal, scope);
    const call = async () => (await authorize(METHODS[method], authorization))(alpha);
    if (outcome === "admitted") {
      expect(await call()).toMatchObject({
        kind: "project",
        principal: { name: principal },
        project: { id: PROJECT.id, number: PROJECT.number },
      });
    } else {
      expect(await rejectionOf(call)).toMatchObject({ reason: outcome, httpStatus: 403 });
    }
  });

  it("counts admitted calls of viewers, but no imports, repeated or rejected calls, or calls by devices", async () => {
    const viewer = await header("viewer", "platform");
    const { generateAppAttestChallenge } = IntegrityService.method;
    (await authorize(list, viewer))(alpha);
    expect(principalCalls).toBe(1);
    (await authorize(METHODS.import, await header("editor", "platform")))(alpha);
    (await authorizer.authorize(list, viewer, () => "192.0.2.1", true))(alpha);
    await rejectionOf(async () => authorize(list, "Bearer invalid"));
    await rejectionOf(async () => (await authorize(list, viewer))(resourceName("projects/beta")));
    await authorize(generateAppAttestChallenge, undefined);
    expect(principalCalls).toBe(1);
  });

  it("notices during a long call that the caller has lost the role", async () => {
    const projects = [PROJECT];
    const changing = await fileRegistry({
      projects,
      access: [{ principal: "viewer", projects: ["alpha"], role: Role.VIEWER }],
    });
    authorizer = authorizerWith(undefined, changing);
    const caller = (await authorize(list, await header("viewer", "platform")))(alpha);
    if (caller.kind !== "project") throw new Error("the call is in a project");
    await caller.recheckAccess();
    changing.setFile({ projects, access: [] });
    expect((await rejectionOf(caller.recheckAccess)).reason).toBe("PERMISSION_MISSING");
  });

  it("authorizes a previously verified token synchronously", async () => {
    const authorization = await header("viewer", "platform");
    const first = await authorize(list, authorization);
    let second = authorize(list, authorization);
    // A slow machine may need longer for a call than the registry remains up to date.
    while (second instanceof Promise) {
      await second;
      second = authorize(list, authorization);
    }
    const named = second(resourceName(`projects/${PROJECT.number}/apps/a`));
    expect(named).toMatchObject({
      ...first(alpha),
      networkOf: expect.any(Function),
      recheckAccess: expect.any(Function),
    });
  });

  test.each([
    ["viewer", "platform", ["alpha"]],
    ["no-role", "platform", []],
    ["viewer", "app-platform", INSUFFICIENT],
    ["no-role", "other", INSUFFICIENT],
  ])(
    "decides a call that covers several projects, by %s with the scope %s, as %j",
    async (principal, scope, outcome) => {
      const authorization = await header(principal, scope);
      const call = async () => (await authorize(listProjects, authorization))(resourceName(""));
      if (typeof outcome === "string") {
        expect(await rejectionOf(call)).toMatchObject({ reason: outcome, httpStatus: 403 });
      } else {
        const caller = await call();
        if (caller.kind !== "everyProject") throw new Error(`it is a call of kind ${caller.kind}`);
        expect(caller.principal.name).toBe(principal);
        expect(caller.projectsAfter(undefined, 10).map(({ id }) => id)).toEqual(outcome);
      }
    },
  );

  it("limits the rate of calls that cover several projects like that of other calls", async () => {
    authorizer = authorizerWith(new RateLimiter(1, new ManualClock()));
    const authorization = await header("viewer", "platform");
    const call = async () => authorize(listProjects, authorization);
    await call();
    expect((await rejectionOf(call)).reason).toBe("RATE_LIMIT_EXCEEDED");
  });

  it("counts principals with the same name separately for each issuer", async () => {
    authorizer = authorizerWith(new RateLimiter(1, new ManualClock()));
    const call = async (issuer: string) => authorize(list, await header("viewer", "platform", issuer));
    await call("issuer");
    expect((await rejectionOf(() => call("issuer"))).reason).toBe("RATE_LIMIT_EXCEEDED");
    await call("other issuer");
    expect((await rejectionOf(() => call("other issuer"))).reason).toBe("RATE_LIMIT_EXCEEDED");
  });

  it("counts a request that is authorized for a second method only once", async () => {
    authorizer = authorizerWith(new RateLimiter(1, new ManualClock()));
    const authorization = await header("viewer", "platform");
    const call = async (isRepeated: boolean) =>
      authorizer.authorize(list, authorization, () => "192.0.2.1", isRepeated);
    await call(false);
    await call(true);
    expect((await rejectionOf(() => call(false))).reason).toBe("RATE_LIMIT_EXCEEDED");
  });

  it("lists the sufficient scopes in the error if the token has none of them", async () => {
    const authorization = await header("viewer", "other");
    const rejection = await rejectionOf(() => authorize(get, authorization));
    const scope = `${BASE}/platform ${BASE}/app-platform`;
    expect(rejection.metadata).toEqual({ scope });
    expect(rejection.headers["www-authenticate"]).toBe(
      `Bearer realm="waybill", error="insufficient_scope", scope="${scope}"`,
    );
  });

  it("checks the rate limit after the credentials and before the scopes", async () => {
    authorizer = authorizerWith(new RateLimiter(1, new ManualClock()));
    const authorization = await header("viewer", "app-platform");
    const call = async () => authorize(list, authorization);
    expect((await rejectionOf(call)).reason).toBe(INSUFFICIENT);
    expect((await rejectionOf(call)).reason).toBe("RATE_LIMIT_EXCEEDED");
    const none = await rejectionOf(() => authorize(list, undefined));
    expect(none.reason).toBe("CREDENTIALS_MISSING");
  });

  const start = (services: readonly DescService[]) =>
    new CallAuthorizer(services, {
      authenticator: new Authenticator([]),
      scopeNames: new ScopeNames(),
      registry,
    });

  const rule = { anyScope: [Scope.PLATFORM], role: Role.VIEWER };
  const inOneProject = "/v1/{parent=projects/*}/things";
  const inNoProject = "/v1/things";
  test.each<[string, MessageInitShape<typeof AuthorizationSchema> | undefined, string[], string]>([
    ["has no authorization options", undefined, [inOneProject], "its scopes and role"],
    ["needs no scope", { ...rule, anyScope: [] }, [inOneProject], "its scopes and role"],
    ["needs no role", { anyScope: rule.anyScope }, [inOneProject], "its scopes and role"],
    ["needs no role in every project", { ...rule, role: 0, everyProject: true }, [inNoProject], "role"],
    ["is in one project and names none", rule, [inNoProject], "to one project"],
    ["names its project on one of two paths", rule, [inOneProject, inNoProject], "to one project"],
    ["names a parent that is not a project", rule, ["/v1/{parent=things/*}"], "to one project"],
    ["is in one project and has no path", rule, [], "to one project"],
    ["is for apps and needs a role", { ...rule, appCaller: true }, [inOneProject], "is for apps"],
    ["is for apps and names no project", { appCaller: true }, [inNoProject], "to one project"],
    [
      "is in every project and names one",
      { ...rule, everyProject: true },
      [inOneProject],
      "to every project",
    ],
    [
      "is in every project and names one on one of two paths",
      { ...rule, everyProject: true },
      [inNoProject, inOneProject],
      "to every project",
    ],
  ])("rejects a method at startup that %s", (_, needs, paths, complaint) => {
    const services = [serviceWith(needs, paths)];
    expect(() => start(services)).toThrow("open.Open.Enter");
    expect(() => start(services)).toThrow(complaint);
  });

  test.each<[string, MessageInitShape<typeof AuthorizationSchema>, string[]]>([
    ["one project", rule, [inOneProject, "/v1/{parent=projects/*/things/*}"]],
    ["one project, for apps", { appCaller: true }, [inOneProject]],
    ["every project", { ...rule, everyProject: true }, [inNoProject]],
    ["every project, over gRPC only", { ...rule, everyProject: true }, []],
  ])("accepts the options of all methods in %s", (_, needs, paths) => {
    expect(() => start([serviceWith(needs, paths)])).not.toThrow();
  });
});

/** Creates a service with one method that has these paths. */
function serviceWith(
  needs: MessageInitShape<typeof AuthorizationSchema> | undefined,
  paths: readonly string[],
): DescService {
  const options = create(MethodOptionsSchema);
  if (needs !== undefined) setExtension(options, authorization, create(AuthorizationSchema, needs));
  const [path, ...others] = paths;
  const rule = (get: string) => ({ pattern: { case: "get" as const, value: get } });
  if (path !== undefined) {
    const bindings = { ...rule(path), additionalBindings: others.map(rule) };
    setExtension(options, http, create(HttpRuleSchema, bindings));
  }
  const type = ".open.Nothing";
  const file = {
    name: "open.proto",
    package: "open",
    syntax: "proto3",
    messageType: [{ name: "Nothing" }],
    service: [{ name: "Open", method: [{ name: "Enter", inputType: type, outputType: type, options }] }],
  };
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [file] }));
  const service = registry.getService("open.Open");
  if (service === undefined) throw new Error("the service is not there");
  return service;
}
