import type { DescMessage, JsonObject, Registry } from "@bufbuild/protobuf";
import { ScopeSchema } from "../../gen/waybill/auth/v1/authorization_pb.js";
import { commentOf, described } from "../comments.js";
import { apiNameOf, type DescriptionParts } from "../description.js";
import {
  type Content,
  localId,
  type Operation,
  operationsOf,
  requirementOf,
  scopesOf,
} from "../operation.js";
import { messagesIn, SchemaMessages, withFields } from "../schema-messages.js";
import { SYSTEM_PARAMETERS } from "../system-parameters.js";
import { discoveryMethod } from "./method.js";
import { DiscoverySchemas } from "./schema.js";

/**
 * Creates the discovery document for one API version of a service. Google's client libraries build their methods from
 * it (https://developers.google.com/discovery/v1/reference/apis).
 *
 * @throws Error if two operations have the same name, or the contract cannot be described.
 */
export function discoveryDocument(parts: DescriptionParts, version: string): JsonObject {
  const { contract, service, baseUrl, programVersion } = parts;
  const { name, canonicalName, title } = apiNameOf(service);
  const operations = operationsOf(service, version);
  const roots = operations.flatMap(({ request, response }) =>
    [request, response].flatMap((content) => [...messagesIn(content, contract), ...rawMessage(content)]),
  );
  const messages = new SchemaMessages(roots);
  const schemas = new DiscoverySchemas(messages);
  const idOf = (operation: Operation) => `${name}.${localId(operation)}`;
  const requiredBy = methodsByRequestMessage(operations, contract, idOf);

  const resources: ResourceTree = { resources: {} };
  for (const operation of operations) {
    const { scopes } = requirementOf(operation.method, parts.scopeNames);
    const method = discoveryMethod(operation, idOf(operation), scopes, messages, schemas);
    addMethod(resources, operation, method);
  }
  const rootUrl = `${baseUrl}/`;
  return {
    kind: "discovery#restDescription",
    discoveryVersion: "v1",
    id: `${name}:${version}`,
    name,
    version,
    revision: programVersion,
    title,
    canonicalName,
    ...described(commentOf(service)),
    protocol: "rest",
    rootUrl,
    servicePath: "",
    baseUrl: rootUrl,
    basePath: "",
    // If a parameter spans several segments, clients must escape everything except slashes.
    fullyEncodeReservedExpansion: true,
    parameters: Object.fromEntries(SYSTEM_PARAMETERS.map(systemParameter)),
    auth: { oauth2: { scopes: scopeDescriptions(parts) } },
    schemas: Object.fromEntries(
      [...messages.names].map(([message, id]) => [
        id,
        schemas.ofMessage(message, requiredBy.get(message) ?? []),
      ]),
    ),
    ...resources,
  };
}

interface ResourceTree {
  [key: string]: JsonObject;
}

const rawMessage = (content: Content | undefined): DescMessage[] =>
  content?.kind === "bytes" ? [content.message] : [];

/** Returns the ids of methods that accept each request message, by message. */
function methodsByRequestMessage(
  operations: readonly Operation[],
  contract: Registry,
  idOf: (operation: Operation) => string,
): Map<DescMessage, string[]> {
  const methods = new Map<DescMessage, string[]>();
  for (const operation of operations) {
    for (const message of withFields(messagesIn(operation.request, contract))) {
      methods.set(message, [...(methods.get(message) ?? []), idOf(operation)]);
    }
  }
  return methods;
}

function addMethod(root: ResourceTree, operation: Operation, method: JsonObject): void {
  let tree = root;
  for (const resource of operation.resources) {
    const { resources = {} } = tree;
    tree.resources = resources;
    resources[resource] ??= {};
    tree = resources[resource] as ResourceTree;
  }
  const { methods = {} } = tree;
  tree.methods = methods;
  if (methods[operation.name] !== undefined) throw new Error(`there are two methods ${localId(operation)}`);
  methods[operation.name] = method;
}

const systemParameter = ({
  name,
  type,
  description,
  default: fallback,
  values,
}: (typeof SYSTEM_PARAMETERS)[number]): [string, JsonObject] => [
  name,
  {
    type,
    description,
    location: "query",
    ...(fallback !== undefined && { default: fallback }),
    ...(values && { enum: Object.keys(values), enumDescriptions: Object.values(values) }),
  },
];

function scopeDescriptions({ contract, service, scopeNames }: DescriptionParts): JsonObject {
  const values = contract.getEnum(ScopeSchema.typeName)?.value ?? ScopeSchema.value;
  return Object.fromEntries(
    scopesOf(service.methods).map((scope) => {
      const value = values[scope];
      return [scopeNames.nameOf(scope), { description: value === undefined ? "" : commentOf(value) }];
    }),
  );
}
