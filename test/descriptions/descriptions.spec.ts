import { type DescField, type DescMessage, type DescMethod, getOption } from "@bufbuild/protobuf";
import { describe, expect } from "vitest";
import { errorOf } from "../../src/api/testing/error-of.js";
import { readContract } from "../../src/descriptions/description-routes.js";
import { localId, type Operation, operationsOf, versionsOf } from "../../src/descriptions/operation.js";
import { body as bodyOption } from "../../src/gen/waybill/media/v1/body_pb.js";
import type { HttpBinding } from "../../src/transcoding/http-rule.js";
import { send } from "../support/http/exchange.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, EDITOR, IOS_APP, PROJECT } from "../support/servers/project.js";
import type { Server } from "../support/servers/server.js";

const test = serving
  .extend("integrity", { scope: "file" }, ({ server }) =>
    read(server.integrityUrl, "/$discovery/rest?version=v1"),
  )
  .extend("messagingData", { scope: "file" }, ({ server }) =>
    read(server.messagingDataUrl, "/$discovery/rest?version=v1beta1"),
  );

type Listener = "integrityUrl" | "messagingDataUrl" | "registryUrl";

/** Parts of a discovery document that the tests read. */
interface Document extends Resource {
  readonly [key: string]: unknown;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly schemas: Readonly<Record<string, { readonly properties: Readonly<Record<string, Parameter>> }>>;
}
interface Resource {
  readonly methods?: Readonly<Record<string, Method>>;
  readonly resources?: Readonly<Record<string, Resource>>;
}
interface Method {
  readonly id: string;
  readonly description?: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly [key: string]: unknown;
}
interface Parameter {
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly type?: string;
}

async function read<T = Document>(url: string, target: string): Promise<T> {
  const { status, text } = await send(url, target);
  expect(status).toBe(200);
  return JSON.parse(text) as T;
}

const methodsOf = ({ methods = {}, resources = {} }: Resource): Method[] => [
  ...Object.values(methods),
  ...Object.values(resources).flatMap(methodsOf),
];

describe("discovery documents", () => {
  test.for<[listener: Listener, target: string, id: string]>([
    ["integrityUrl", "/$discovery/rest", "integrity:v1"],
    ["integrityUrl", "/$discovery/rest?version=v1", "integrity:v1"],
    ["integrityUrl", "/%24discovery/rest?version=v1", "integrity:v1"],
    [
      "integrityUrl",
      "/$discovery/rest?key=k&version=v1&alt=json&prettyPrint=true&userIp=::1",
      "integrity:v1",
    ],
    ["messagingDataUrl", "/$discovery/rest?version=v1beta1", "messagingdata:v1beta1"],
    ["messagingDataUrl", "/$discovery/rest", "messagingdata:v1beta1"],
    ["registryUrl", "/$discovery/rest", "registry:v1"],
    ["registryUrl", "/$discovery/rest?version=v1", "registry:v1"],
    ["registryUrl", "/$discovery/rest?version=v1beta1", "registry:v1beta1"],
  ])("at %s, %s can be read without authentication", async ([listener, target, id], { server }) => {
    const document = await read(server[listener], target);
    expect(document).toMatchObject({ kind: "discovery#restDescription", discoveryVersion: "v1", id });
  });

  test.for<[listener: Listener, target: string]>([
    ["integrityUrl", "/$discovery/rest?version=v1beta1"],
    ["integrityUrl", "/$discovery/rest?version="],
    ["integrityUrl", "/$discovery/rest?version=%ff"],
    ["integrityUrl", "/$discovery/rest?version=v1&version=v2"],
    ["messagingDataUrl", "/$discovery/rest?version=v1"],
    ["registryUrl", "/$discovery/rest?version=v2"],
    ["registryUrl", "/$discovery/rest?version=v1&version=v1beta1"],
  ])("at %s, %s do not exist, because the version is unknown", async ([listener, target], { server }) => {
    const { status, text } = await send(server[listener], target);
    expect(status).toBe(404);
    expect(errorOf(text)).toMatchObject({ status: "NOT_FOUND", reason: "API_VERSION_NOT_FOUND" });
  });

  test.for([
    ["POST", "/$discovery/rest", 405],
    ["GET", "/$discovery/rest/", 404],
    ["GET", "/$discovery/rpc", 404],
    ["GET", "/discovery/rest", 404],
    ["DELETE", "/openapi.json", 405],
  ] as const)("are not served for %s %s", async ([method, target, status], { server }) => {
    expect((await send(server.integrityUrl, target, { method })).status).toBe(status);
  });

  test.for(["/$discovery/rest", "/openapi.json"])(
    "return 304 for a matching If-None-Match: %s",
    async (target, { server }) => {
      const { headers } = await send(server.integrityUrl, target);
      const again = await send(server.integrityUrl, target, {
        headers: { "if-none-match": headers.etag ?? "" },
      });
      expect(again.status).toBe(304);
      const head = await send(server.integrityUrl, target, { method: "HEAD" });
      expect(head).toMatchObject({ status: 200, text: "", headers: { etag: headers.etag } });
    },
  );

  const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
  const both = [scope("platform"), scope("app-platform")];
  test.for<[id: string, method: object]>([
    [
      "integrity.projects.apps.appAttestConfig.get",
      {
        httpMethod: "GET",
        path: "v1/{+name}",
        flatPath: "v1/projects/{projectsId}/apps/{appsId}/appAttestConfig",
        parameterOrder: ["name"],
        parameters: {
          name: {
            type: "string",
            location: "path",
            required: true,
            pattern: "^projects/[^/]+/apps/[^/]+/appAttestConfig$",
          },
        },
        response: { $ref: "AppAttestConfig" },
        scopes: both,
      },
    ],
    [
      "integrity.projects.apps.appAttestConfig.batchGet",
      {
        httpMethod: "GET",
        path: "v1/{+parent}/apps/-/appAttestConfig:batchGet",
        flatPath: "v1/projects/{projectsId}/apps/-/appAttestConfig:batchGet",
        parameterOrder: ["parent"],
        parameters: { names: { type: "string", repeated: true, location: "query" } },
        response: { $ref: "BatchGetAppAttestConfigsResponse" },
        scopes: both,
      },
    ],
    [
      "integrity.projects.apps.appAttestConfig.patch",
      {
        httpMethod: "PATCH",
        path: "v1/{+name}",
        parameterOrder: ["name", "updateMask"],
        parameters: { updateMask: { type: "string", format: "google-fieldmask", location: "query" } },
        request: { $ref: "AppAttestConfig" },
        response: { $ref: "AppAttestConfig" },
        scopes: both,
      },
    ],
    [
      "messagingdata.projects.androidApps.deliveryData.list",
      {
        httpMethod: "GET",
        path: "v1beta1/{+parent}/deliveryData",
        flatPath: "v1beta1/projects/{projectsId}/androidApps/{androidAppsId}/deliveryData",
        parameterOrder: ["parent"],
        parameters: {
          parent: { pattern: "^projects/[^/]+/androidApps/[^/]+$" },
          pageSize: { type: "integer", format: "int32", location: "query" },
          pageToken: { type: "string", location: "query" },
          filter: { type: "string", location: "query" },
          asOf: { type: "string", format: "google-datetime", location: "query" },
        },
        response: { $ref: "ListAndroidDeliveryDataResponse" },
        scopes: [scope("platform")],
      },
    ],
    [
      "messagingdata.projects.androidApps.deliveryData.aggregate",
      {
        httpMethod: "GET",
        path: "v1beta1/{+parent}/deliveryData:aggregate",
        parameterOrder: ["parent"],
        parameters: {
          filter: { type: "string", location: "query" },
          groupBy: {
            type: "string",
            repeated: true,
            enum: ["DIMENSION_UNSPECIFIED", "DATE", "ANALYTICS_LABEL", "APP"],
            location: "query",
          },
        },
        response: { $ref: "AggregateAndroidDeliveryDataResponse" },
        scopes: [scope("platform")],
      },
    ],
    [
      "messagingdata.projects.androidApps.incidents.list",
      {
        httpMethod: "GET",
        path: "v1beta1/{+parent}/incidents",
        parameterOrder: ["parent"],
        parameters: {
          pageSize: { type: "integer", format: "int32", location: "query" },
          pageToken: { type: "string", location: "query" },
          filter: { type: "string", location: "query" },
        },
        response: { $ref: "ListAndroidIncidentsResponse" },
        scopes: [scope("platform")],
      },
    ],
    [
      "messagingdata.projects.androidApps.mirrorGaps.list",
      {
        httpMethod: "GET",
        path: "v1beta1/{+parent}/mirrorGaps",
        parameterOrder: ["parent"],
        response: { $ref: "ListAndroidMirrorGapsResponse" },
        scopes: [scope("platform")],
      },
    ],
    [
      "messagingdata.projects.list",
      {
        httpMethod: "GET",
        path: "v1beta1/projects",
        flatPath: "v1beta1/projects",
        parameterOrder: [],
        response: { $ref: "ListProjectsResponse" },
        scopes: [scope("platform")],
      },
    ],
    [
      "messagingdata.projects.androidApps.list",
      { httpMethod: "GET", path: "v1beta1/{+parent}/androidApps", scopes: [scope("platform")] },
    ],
    [
      "integrity.projects.apps.list",
      {
        httpMethod: "GET",
        path: "v1/{+parent}/apps",
        scopes: [scope("platform"), scope("app-platform")],
      },
    ],
    [
      "messagingdata.projects.messageEvents.import",
      {
        httpMethod: "POST",
        path: "v1beta1/{+parent}/messageEvents:import",
        parameterOrder: ["parent"],
        request: { $ref: "HttpBody" },
        response: { $ref: "ImportMessageEventsResponse" },
        scopes: [scope("platform")],
      },
    ],
  ])("have the method %s", ([id, expected], { integrity, messagingData }) => {
    const methods = [...methodsOf(integrity), ...methodsOf(messagingData)];
    expect(methods.find((method) => method.id === id)).toMatchObject(expected);
  });

  test("describe values in their JSON form", ({ messagingData, integrity }) => {
    const { Data, MessageEvent, MessageOutcomePercents } = messagingData.schemas;
    expect(Data?.properties.countMessagesAccepted).toMatchObject({ type: "string", format: "int64" });
    expect(MessageOutcomePercents?.properties.delivered).toMatchObject({ type: "number", format: "double" });
    expect(MessageEvent?.properties.eventTime).toMatchObject({ format: "google-datetime" });
    expect(MessageEvent?.properties.eventType?.enum).toContain("DROPPED_TTL_EXPIRED");
    expect(integrity.schemas.AppAttestConfig?.properties.tokenTtl).toMatchObject({
      type: "string",
      format: "google-duration",
    });
  });

  test("name the system parameters that every operation accepts", async ({ server, integrity }) => {
    const token = await server.token(EDITOR);
    const value = ({ enum: values, type }: Parameter): string =>
      values?.[0] ?? (type === "boolean" ? "true" : "name");
    const query = new URLSearchParams(
      Object.entries(integrity.parameters).map(([name, parameter]): [string, string] => [
        name,
        value(parameter),
      ]),
    );
    expect([...query.keys()].sort()).toEqual(
      ["$.xgafv", "alt", "fields", "key", "prettyPrint", "quotaUser", "uploadType", "upload_protocol"].sort(),
    );
    const target = `/v1/projects/${PROJECT.id}/apps/${IOS_APP}/appAttestConfig?${query}`;
    expect((await send(server.integrityUrl, target, { token })).status).toBe(200);
  });
});

test.for([
  ["/v1beta1/projects", "Covers the projects on which the caller has the role `viewer`."],
  ["/v1beta1/projects/{project}/androidApps", "Needs the role `viewer` on the project."],
] as const)(
  "the OpenAPI document states which role %s requires, and on which resource",
  async ([path, needs], { server }) => {
    const { paths } = await read<{ paths: Record<string, { get: { description: string } }> }>(
      server.messagingDataUrl,
      "/openapi.json",
    );
    expect(paths[path]?.get.description.split("\n\n").at(-1)).toBe(needs);
  },
);

const contract = readContract();
const SERVICES: Readonly<Record<string, Listener>> = {
  "waybill.integrity.v1.IntegrityService": "integrityUrl",
  "waybill.messagingdata.v1beta1.MessagingDataService": "messagingDataUrl",
  "waybill.registry.v1.RegistryService": "registryUrl",
};

describe.each(Object.entries(SERVICES))("the descriptions of %s", (typeName, listener) => {
  const service = contract.getService(typeName);
  if (service === undefined) throw new Error(`the contract has no ${typeName}`);
  const versions = versionsOf(service);
  const discoveryOf = (server: Server, version: string): Promise<Document> =>
    read(server[listener], `/$discovery/rest?version=${version}`);

  test("include every method with its comment", async ({ server }) => {
    const documents = await Promise.all(versions.map((version) => discoveryOf(server, version)));
    const methods = documents.flatMap(methodsOf);
    expect(new Set(methods.map(({ id }) => id)).size).toBe(service.methods.length);
    for (const { id, description = "" } of methods) expect(description, id).toMatch(/\w{3}/);
  });

  test.for(
    versions.flatMap((version) =>
      operationsOf(service, version).map((operation): [string, string, Operation] => [
        operation.method.name,
        version,
        operation,
      ]),
    ),
  )("include every request field of %s in %s", async ([_name, version, operation], { server }) => {
    const { method, binding } = operation;
    const document = await discoveryOf(server, version);
    const described = methodsOf(document).find(({ id }) => id === `${document.name}.${localId(operation)}`);
    const { fields } = method.input;
    const asked = fields.filter((field) => isParameter(field, binding));
    expect(fields.length).toBeGreaterThan(0);
    for (const { jsonName } of asked) expect(described?.parameters).toHaveProperty([jsonName]);
    expect(described?.request !== undefined).toBe(binding.body !== undefined);
  });

  test("include every field of its messages with its comment", async ({ server }) => {
    const openApi = await read<{ components: { schemas: Document["schemas"] } }>(
      server[listener],
      "/openapi.json",
    );
    const documents = await Promise.all(versions.map((version) => discoveryOf(server, version)));
    const discovered: Document["schemas"] = Object.assign({}, ...documents.map(({ schemas }) => schemas));
    const messages = messagesOf(service.methods);
    expect(messages.size).toBeGreaterThan(1);
    for (const schemas of [discovered, openApi.components.schemas]) {
      for (const { name, fields } of messages) {
        expect(Object.keys(schemas[name]?.properties ?? {}), name).toEqual(
          fields.map((field) => field.jsonName),
        );
        for (const [field, { description = "" }] of Object.entries(schemas[name]?.properties ?? {})) {
          expect(description, `${name}.${field}`).toMatch(/\w{3}/);
        }
      }
    }
  });
});

/** True if a request field is a parameter. */
const isParameter = (field: DescField, { body, template }: HttpBinding): boolean =>
  body === "*" ? template.variables.some(({ fieldPath }) => fieldPath === field.name) : body !== field;

/** The messages sent and received, including nested ones. */
function messagesOf(methods: readonly DescMethod[]): Set<DescMessage> {
  const bodies = methods.flatMap(({ input, output }) => {
    const lines = input.fields.map((field) => contract.getMessage(getOption(field, bodyOption).lineType));
    return [output, ...lines];
  });
  const messages = new Set(bodies.filter((message) => message !== undefined));
  for (const { fields } of messages) {
    for (const { message } of fields) {
      if (message !== undefined && !message.typeName.startsWith("google.protobuf.")) messages.add(message);
    }
  }
  return messages;
}

describe("API descriptions contain", () => {
  test("the address that the service listens on", async ({ server, integrity }) => {
    const openApi = await read<object>(server.messagingDataUrl, "/openapi.json");
    expect(openApi).toMatchObject({ servers: [{ url: server.messagingDataUrl }] });
    expect(integrity).toMatchObject({ rootUrl: `${server.integrityUrl}/`, servicePath: "" });
  });

  test("the configured address and the configured scopes", async ({ openServer }) => {
    const other = await openServer({
      ...BASE_CONFIG,
      integrityUrl: "https://example.com/integrity/",
      messagingDataUrl: "https://data.example.com",
      auth: { scopeBase: "https://auth.example.com/scopes/" },
    });
    const discovery = await read(other.integrityUrl, "/$discovery/rest");
    expect(discovery).toMatchObject({ rootUrl: "https://example.com/integrity/" });
    expect(discovery).toHaveProperty([
      "auth",
      "oauth2",
      "scopes",
      "https://auth.example.com/scopes/app-platform",
    ]);
    const openApi = await read<object>(other.messagingDataUrl, "/openapi.json");
    expect(openApi).toMatchObject({ servers: [{ url: "https://data.example.com" }] });
    expect(JSON.stringify(openApi)).toContain(
      '"security":[{"accessToken":["https://auth.example.com/scopes/platform"]}]',
    );
  });
});

test("API descriptions are the same after every start", async ({ openServer, server }) => {
  const other = await openServer();
  for (const target of ["/$discovery/rest", "/openapi.json"]) {
    const [first, second] = await Promise.all(
      [server, other].map(({ messagingDataUrl }) => send(messagingDataUrl, target)),
    );
    expect(second?.text.replaceAll(other.messagingDataUrl, server.messagingDataUrl)).toBe(first?.text);
  }
});
