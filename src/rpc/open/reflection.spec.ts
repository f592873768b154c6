import { type DescService, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it, test } from "vitest";
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
  type ServerReflectionResponse,
} from "../../gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.js";
import { IntegrityService } from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { addReflection } from "./reflection.js";

type Request = MessageInitShape<typeof ServerReflectionRequestSchema>;
type Question = NonNullable<Request["messageRequest"]>;

const stopping = new AbortController();
const transport = createRouterTransport((router) =>
  addReflection(router, [IntegrityService, ServerReflection], stopping.signal),
);
const client = createClient(ServerReflection, transport);

async function* questions(...all: Question[]): AsyncGenerator<Request> {
  for (const messageRequest of all) yield { host: "h", messageRequest };
}

async function ask(...all: Question[]): Promise<ServerReflectionResponse["messageResponse"][]> {
  const responses: ServerReflectionResponse["messageResponse"][] = [];
  for await (const { messageResponse } of client.serverReflectionInfo(questions(...all))) {
    responses.push(messageResponse);
  }
  return responses;
}

const FILE = "waybill/integrity/v1/integrity.proto";

/** Files in a response, by name, with their imports. */
async function filesFor(question: Question): Promise<Map<string, readonly string[]>> {
  const [response] = await ask(question);
  if (response?.case !== "fileDescriptorResponse") throw new Error(`the response is ${response?.case}`);
  const files = response.value.fileDescriptorProto.map((bytes) =>
    fromBinary(FileDescriptorProtoSchema, bytes),
  );
  return new Map(files.map(({ name, dependency }) => [name, dependency]));
}

test("reflection lists all services", async () => {
  const [response] = await ask({ case: "listServices", value: "" });
  expect(response).toMatchObject({
    case: "listServicesResponse",
    value: { service: [{ name: IntegrityService.typeName }, { name: ServerReflection.typeName }] },
  });
});

describe("reflection returns a file before the files that it imports:", () => {
  test.each<[name: string, question: Question, file: string]>([
    ["by its name", { case: "fileByFilename", value: FILE }, FILE],
    ["by a service", { case: "fileContainingSymbol", value: IntegrityService.typeName }, FILE],
    [
      "by a method",
      { case: "fileContainingSymbol", value: `${IntegrityService.typeName}.GetAppAttestConfig` },
      FILE,
    ],
    ["by a message", { case: "fileContainingSymbol", value: "waybill.integrity.v1.AppAttestConfig" }, FILE],
    [
      "by a message in error details",
      { case: "fileContainingSymbol", value: "google.rpc.ErrorInfo" },
      "google/rpc/error_details.proto",
    ],
    [
      "by an enumeration",
      { case: "fileContainingSymbol", value: "waybill.auth.v1.Role" },
      "waybill/auth/v1/authorization.proto",
    ],
    [
      "by an extension",
      { case: "fileContainingSymbol", value: "google.api.http" },
      "google/api/annotations.proto",
    ],
    [
      "by extension number",
      {
        case: "fileContainingExtension",
        value: { containingType: "google.protobuf.MethodOptions", extensionNumber: 52_001 },
      },
      "waybill/auth/v1/authorization.proto",
    ],
  ])("%s", async (_name, question, file) => {
    const files = await filesFor(question);
    expect([...files.keys()][0]).toBe(file);
    // The response holds every import of its files.
    const imported = [...files.values()].flat();
    expect(imported.filter((name) => !files.has(name))).toEqual([]);
  });
});

test("reflection lists all extensions of a message", async () => {
  const [some, none] = await ask(
    { case: "allExtensionNumbersOfType", value: "google.protobuf.MethodOptions" },
    { case: "allExtensionNumbersOfType", value: "waybill.integrity.v1.AppAttestConfig" },
  );
  expect(some?.case === "allExtensionNumbersResponse" && some.value.extensionNumber).toEqual(
    // google.api.method_signature, google.api.http and waybill.auth.v1.authorization.
    expect.arrayContaining([1051, 72_295_728, 52_001]),
  );
  expect(none).toMatchObject({ case: "allExtensionNumbersResponse", value: { extensionNumber: [] } });
});

describe("reflection reports as not found", () => {
  test.each<[name: string, question: Question]>([
    ["an unknown file", { case: "fileByFilename", value: "x.proto" }],
    ["an unknown symbol", { case: "fileContainingSymbol", value: "waybill.X" }],
    ["another service of the package", { case: "fileContainingSymbol", value: "grpc.health.v1.Health" }],
    [
      "an unknown extension",
      { case: "fileContainingExtension", value: { containingType: "waybill.X", extensionNumber: 1 } },
    ],
    ["extensions of an unknown message", { case: "allExtensionNumbersOfType", value: "waybill.X" }],
    ["an empty question", { case: undefined }],
  ])("%s, and continues with the next request", async (_name, question) => {
    const [response, next] = await ask(question, { case: "listServices", value: "" });
    expect(response).toMatchObject({ case: "errorResponse", value: { errorCode: 5 } });
    expect(next?.case).toBe("listServicesResponse");
  });
});

test("a reflection response contains the request that it belongs to", async () => {
  for await (const response of client.serverReflectionInfo(
    questions({ case: "fileByFilename", value: "x" }),
  )) {
    expect(response).toMatchObject({
      validHost: "h",
      originalRequest: { host: "h", messageRequest: { case: "fileByFilename", value: "x" } },
    });
  }
});

test("reflection is also available as v1alpha", async () => {
  const older = createClient(ServerReflectionAlpha as DescService as typeof ServerReflection, transport);
  for await (const { messageResponse } of older.serverReflectionInfo(
    questions({ case: "fileByFilename", value: FILE }),
  )) {
    expect(messageResponse.case).toBe("fileDescriptorResponse");
  }
});

it("reflection ends its streams when the server stops", async () => {
  async function* forEver(): AsyncGenerator<Request> {
    yield { messageRequest: { case: "listServices", value: "" } };
    await new Promise(() => {});
  }
  let responses = 0;
  for await (const _ of client.serverReflectionInfo(forEver())) {
    responses++;
    stopping.abort();
  }
  expect(responses).toBe(1);
});
