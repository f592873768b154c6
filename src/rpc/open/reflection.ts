import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectRouter, type ServiceImpl } from "@connectrpc/connect";
import { abortable } from "@waybill/client/support";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.js";
import type { ServerReflectionRequest } from "../../gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection } from "../../gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionAlpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.js";
import { MAX_OPEN_MESSAGE_BYTES } from "../../limits/request-limits.js";

type Question = ServerReflectionRequest["messageRequest"];

/**
 * Adds server reflection (`grpc.reflection.v1`, and `v1alpha` with the same messages). Command-line tools read the
 * contract with it.
 */
export function addReflection(
  router: ConnectRouter,
  services: readonly DescService[],
  stopping: AbortSignal,
): void {
  const index = new DescriptorIndex(services);

  async function* responses(
    requests: AsyncIterable<Pick<ServerReflectionRequest, "host" | "messageRequest">>,
  ) {
    for await (const request of until(stopping, requests)) {
      const { host, messageRequest } = request;
      yield {
        validHost: host,
        originalRequest: { host, messageRequest },
        messageResponse: index.respond(messageRequest) ?? NOTHING,
      };
    }
  }

  const options = { readMaxBytes: MAX_OPEN_MESSAGE_BYTES };
  router.service(ServerReflection, { serverReflectionInfo: responses }, options);
  const alpha = responses as unknown as ServiceImpl<typeof ServerReflectionAlpha>["serverReflectionInfo"];
  router.service(ServerReflectionAlpha, { serverReflectionInfo: alpha }, options);
}

/** Yields items until a signal aborts. */
async function* until<T>(signal: AbortSignal, items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  while (!signal.aborted) {
    const next = await abortable(iterator.next(), signal).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
    if (next === undefined || next.done) return;
    yield next.value;
  }
}

const NOTHING = {
  case: "errorResponse" as const,
  value: {
    errorCode: Code.NotFound as number,
    errorMessage: "the name is unknown; list_services returns all services",
  },
};

/** Descriptors of services and their types, by name. */
class DescriptorIndex {
  readonly #services: readonly DescService[];
  readonly #byName = new Map<string, DescFile>();
  readonly #bySymbol = new Map<string, DescFile>();
  /** Files with extensions, by full message name and extension number. */
  readonly #extensions = new Map<string, Map<number, DescFile>>();

  constructor(services: readonly DescService[]) {
    this.#services = services;
    for (const { file } of services) this.#add(file);
    // Tools decode the details of errors, which no service's file imports.
    this.#add(file_google_rpc_error_details);
  }

  /** Creates the response to a request. @returns `undefined` for an unknown name. */
  respond({ case: what, value }: Question) {
    switch (what) {
      case "listServices":
        return {
          case: "listServicesResponse" as const,
          value: { service: this.#services.map(({ typeName }) => ({ name: typeName })) },
        };
      case "fileByFilename":
        return filesResponse(this.#byName.get(value));
      case "fileContainingSymbol":
        return filesResponse(this.#bySymbol.get(value));
      case "fileContainingExtension":
        return filesResponse(this.#extensions.get(value.containingType)?.get(value.extensionNumber));
      case "allExtensionNumbersOfType":
        return this.#extensionNumbers(value);
      default:
        return undefined;
    }
  }

  #extensionNumbers(baseTypeName: string) {
    if (!this.#bySymbol.has(baseTypeName)) return undefined;
    const extensionNumber = [...(this.#extensions.get(baseTypeName)?.keys() ?? [])];
    return { case: "allExtensionNumbersResponse" as const, value: { baseTypeName, extensionNumber } };
  }

  #add(file: DescFile): void {
    const { name } = file.proto;
    if (this.#byName.has(name)) return;
    this.#byName.set(name, file);
    for (const type of nestedTypes(file)) {
      this.#bySymbol.set(type.typeName, file);
      if (type.kind === "service") {
        for (const method of type.methods) this.#bySymbol.set(`${type.typeName}.${method.name}`, file);
      }
      if (type.kind === "extension") {
        const { typeName } = type.extendee;
        const numbers = this.#extensions.get(typeName) ?? new Map<number, DescFile>();
        this.#extensions.set(typeName, numbers.set(type.number, file));
      }
    }
    for (const dependency of file.dependencies) this.#add(dependency);
  }
}

/** Returns a file with its direct and indirect imports. Each file precedes the files that it imports. */
function filesResponse(file: DescFile | undefined) {
  if (file === undefined) return undefined;
  const files = new Set<DescFile>();
  const collect = (one: DescFile): void => {
    if (files.has(one)) return;
    for (const dependency of one.dependencies) collect(dependency);
    files.add(one);
  };
  collect(file);
  const fileDescriptorProto = [...files]
    .reverse()
    .map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return { case: "fileDescriptorResponse" as const, value: { fileDescriptorProto } };
}
