import { readFileSync } from "node:fs";
import {
  createFileRegistry,
  type DescService,
  type FileRegistry,
  fromBinary,
  type JsonObject,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../api/api-error.js";
import { EncodedJson } from "../api/encoded-response.js";
import type { PlainRoute } from "../api/plain-route.js";
import type { ScopeNames } from "../auth/scopes.js";
import { Code } from "../gen/google/rpc/code_pb.js";
import { parseQuery } from "../http/request-target.js";
import { excerpt } from "../limits/excerpt.js";
import type { DescriptionParts } from "./description.js";
import { discoveryDocument } from "./discovery/document.js";
import { openApiDocument } from "./openapi/document.js";
import { versionsOf } from "./operation.js";

export interface DescribedService {
  readonly service: DescService;
  /** Returns the public address of the service; `undefined` until the service listens. */
  readonly baseUrl: () => string | undefined;
  readonly scopeNames: ScopeNames;
  /** Server version. */
  readonly programVersion: string;
}

/**
 * Returns the public routes for a service's API descriptions: a discovery document for each API version, and an OpenAPI
 * document.
 */
export function descriptionRoutes(described: DescribedService): PlainRoute[] {
  const versions = versionsOf(described.service);
  const discovery = new Map(
    versions.map((version) => [version, memoized(described, (parts) => discoveryDocument(parts, version))]),
  );
  const openApi = memoized(described, openApiDocument);
  const rest = (path: string): PlainRoute => ({
    httpMethod: "GET",
    path,
    respond: ({ query }) => ({ body: requested(query, versions[0], discovery)() }),
  });
  return [
    rest("/$discovery/rest"),
    // Some clients escape the dollar sign.
    rest("/%24discovery/rest"),
    { httpMethod: "GET", path: "/openapi.json", respond: () => ({ body: openApi() }) },
  ];
}

/** Caches a description as long as the base address stays the same. */
function memoized(
  { service, baseUrl, ...rest }: DescribedService,
  describe: (parts: DescriptionParts) => JsonObject,
): () => EncodedJson {
  let latest: { readonly baseUrl: string; readonly document: EncodedJson } | undefined;
  return () => {
    const base = baseUrl();
    if (base === undefined) throw new Error(`${service.typeName} is not listening yet`);
    if (latest?.baseUrl === base) return latest.document;
    const contract = readContract();
    const commented = contract.getService(service.typeName);
    if (commented === undefined) throw new Error(`the contract has no ${service.typeName}`);
    const json = describe({ ...rest, contract, service: commented, baseUrl: base });
    latest = { baseUrl: base, document: new EncodedJson(Buffer.from(JSON.stringify(json))) };
    return latest.document;
  };
}

/**
 * Returns the API description for the query parameter `version`. Ignores other parameters, because clients send many
 * with this request.
 */
function requested<Document>(
  query: string,
  defaultVersion: string,
  documents: ReadonlyMap<string, Document>,
): Document {
  const values = parseQuery(query).flatMap(({ name, value = "" }) => (name === "version" ? [value] : []));
  const [wanted = defaultVersion, ...others] = values;
  const document = documents.get(wanted);
  const wrong = document === undefined ? wanted : others.find((other) => other !== wanted);
  if (document !== undefined && wrong === undefined) return document;
  const version = excerpt(wrong ?? wanted);
  const available = [...documents.keys()];
  throw new ApiError({
    code: Code.NOT_FOUND,
    reason: "API_VERSION_NOT_FOUND",
    message: `There is no version "${version}" of this API. Use ${available.join(" or ")}.`,
    metadata: { version, available: available.join(", ") },
  });
}

/**
 * Reads the contract with its comments. The generated code has no comments, so the build writes them to a file next to
 * it. Reading costs milliseconds and megabytes, so it must not happen for each request.
 */
export function readContract(): FileRegistry {
  const bytes = readFileSync(new URL("../gen/contract.binpb", import.meta.url));
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}
