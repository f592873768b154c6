import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
} from "@bufbuild/protobuf";
import type { ScopeNames } from "../auth/scopes.js";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import { authorization, Role, type Scope } from "../gen/waybill/auth/v1/authorization_pb.js";
import { type Body, body as bodyOption } from "../gen/waybill/media/v1/body_pb.js";
import { valueParserOf } from "../transcoding/binding/parameter-value.js";
import { type HttpBinding, httpBindings } from "../transcoding/http-rule.js";
import type { TemplateVariable } from "../transcoding/path-template.js";
import { apiNameOf } from "./description.js";
import { valueTypeOf } from "./field-schema.js";

/** An HTTP binding of a method, prepared for API descriptions. */
export interface Operation {
  readonly method: DescMethod;
  readonly binding: HttpBinding;
  /** Resources in the path, from the outermost collection, such as `projects`, `apps`, `appAttestConfig`. */
  readonly resources: readonly string[];
  /** Verb of the operation, such as `batchGet`. */
  readonly name: string;
  readonly pathParameters: readonly PathParameter[];
  readonly queryParameters: readonly QueryParameter[];
  /** Content of the request body. `undefined` if the request has no body. */
  readonly request: Content | undefined;
  readonly response: Content;
}

export interface PathParameter {
  /**
   * JSON name of the field that the variable sets, without enclosing messages. For example, `name` for
   * `app_attest_config.name`.
   */
  readonly name: string;
  readonly field: DescField;
  readonly variable: TemplateVariable;
}

/** A request field that the query can set. */
export interface QueryParameter {
  /** Field path in JSON names, such as `author.displayName`. */
  readonly name: string;
  readonly field: DescField;
}

export type Content =
  | { readonly kind: "message"; readonly message: DescMessage }
  /** One field as JSON. The field is not a message. */
  | { readonly kind: "field"; readonly field: DescField }
  /** Bytes of any content. */
  | {
      readonly kind: "bytes";
      /** The message `google.api.HttpBody`. */
      readonly message: DescMessage;
      readonly mediaType: string;
      /** Name of the message that each line contains as JSON, if the bytes are such lines. */
      readonly lineType: string | undefined;
    };

/** Returns an operation's name in client libraries, such as `projects.apps.appAttestConfig.get`. */
export const localId = ({ resources, name }: Operation): string => [...resources, name].join(".");

/**
 * Returns the API versions of a service, with the package's version first. A method has another version if none of its
 * paths has the package's version.
 */
export function versionsOf(service: DescService): readonly [string, ...string[]] {
  const own = packageVersion(service);
  const versions = service.methods.flatMap((method) => {
    const bindings = httpBindings(method);
    return bindings.length === 0 ? [] : [mainVersion(bindings, own)];
  });
  return [own, ...new Set(versions.filter((version) => version !== own))];
}

/** Returns a service's operations with paths in an API version, in contract order. */
export function operationsOf(service: DescService, version: string): Operation[] {
  return service.methods.flatMap((method) =>
    httpBindings(method)
      .filter((binding) => isOfVersion(binding, version))
      .map((binding) => operationOf(method, binding)),
  );
}

/** Returns a service's operations in contract order. Of each method, only the paths of one API version are included. */
export function allOperationsOf(service: DescService): Operation[] {
  return service.methods.flatMap((method) => {
    const bindings = httpBindings(method);
    const version = mainVersion(bindings, packageVersion(service));
    return bindings
      .filter((binding) => isOfVersion(binding, version))
      .map((binding) => operationOf(method, binding));
  });
}

const packageVersion = (service: DescService): string => apiNameOf(service).version;

/** Returns the API version of a method's operations, which is the version in its first path. */
function mainVersion([first]: readonly HttpBinding[], own: string): string {
  return (first && versionIn(first)) ?? own;
}

/** Returns true if a path belongs to an API version. Paths without a version belong to all versions. */
function isOfVersion(binding: HttpBinding, version: string): boolean {
  const found = versionIn(binding);
  return found === undefined || found === version;
}

/** Returns the API version in the first segment of a path. */
function versionIn({
  template: {
    segments: [first],
  },
}: HttpBinding): string | undefined {
  return first?.kind === "literal" && /^v\d/.test(first.text) ? first.text : undefined;
}

function operationOf(method: DescMethod, binding: HttpBinding): Operation {
  const { template, body, responseBody } = binding;
  const pathParameters = template.variables.map((variable) => {
    const field = fieldAt(method.input, variable.fieldPath);
    return { name: field.jsonName, field, variable };
  });
  return {
    method,
    binding,
    resources: resourcesOf(binding),
    name: nameOf(method, binding),
    pathParameters,
    queryParameters: body === "*" ? [] : queryParametersOf(method.input, binding),
    request: body === "*" ? contentOf(method.input) : body && contentOf(body),
    response: contentOf(responseBody ?? method.output),
  };
}

/**
 * Returns the literal segments between the version and the verb. Omits `-`, because it stands for any parent and is not
 * a resource (AIP-159).
 */
function resourcesOf(binding: HttpBinding): string[] {
  const { segments } = binding.template;
  const literals = segments.flatMap((segment) => (segment.kind === "literal" ? [segment.text] : []));
  return (versionIn(binding) === undefined ? literals : literals.slice(1)).filter((text) => text !== "-");
}

/**
 * Returns an operation's name: the verb in the path, or else the first word of the method name. A PATCH is always
 * called `patch` (AIP-134), as in public APIs.
 */
function nameOf(method: DescMethod, { httpMethod, template }: HttpBinding): string {
  const [firstWord = method.name] = /^[A-Z]*[a-z0-9]*/.exec(method.name) ?? [];
  return template.verb ?? (httpMethod === "PATCH" ? "patch" : firstWord.toLowerCase());
}

function fieldAt(message: DescMessage, path: string): DescField {
  const [name, ...rest] = path.split(".");
  const field = message.fields.find((candidate) => candidate.name === name);
  if (field === undefined) throw new Error(`${message.typeName} has no field ${path}`);
  if (rest.length === 0) return field;
  if (field.message === undefined) throw new Error(`${field} has no field ${rest.join(".")}`);
  return fieldAt(field.message, rest.join("."));
}

/** Returns the fields that the query can set: all fields outside path and body, including fields in nested messages. */
function queryParametersOf(input: DescMessage, { template, body }: HttpBinding): QueryParameter[] {
  const inPath = new Set(template.variables.map(({ fieldPath }) => fieldPath));
  const below = (message: DescMessage, around: readonly DescField[]): QueryParameter[] =>
    message.fields.flatMap((field) => {
      const path = [...around, field];
      if (field === body || inPath.has(path.map(({ name }) => name).join("."))) return [];
      if (valueParserOf(field) !== undefined) {
        return [{ name: path.map(({ jsonName }) => jsonName).join("."), field }];
      }
      // A recursive message would have infinitely many fields.
      const isRecursive = path.some((outer) => outer.parent === field.message);
      return field.fieldKind === "message" && !isRecursive ? below(field.message, path) : [];
    });
  return below(input, []);
}

function contentOf(of: DescMessage | DescField): Content {
  if (of.kind === "message") return messageContent(of, undefined);
  const type = valueTypeOf(of);
  return of.fieldKind === "message" && type.kind === "message"
    ? messageContent(type.desc, getOption(of, bodyOption))
    : { kind: "field", field: of };
}

function messageContent(message: DescMessage, body: Body | undefined): Content {
  if (message.typeName !== HttpBodySchema.typeName) return { kind: "message", message };
  const { mediaType, lineType } = body ?? { mediaType: "", lineType: "" };
  return { kind: "bytes", message, mediaType: mediaType || "*/*", lineType: lineType || undefined };
}

/** Requirements of a method on its callers, from the contract. */
export interface Requirement {
  /** Full names of the accepted scopes. The token needs one of them. */
  readonly scopes: readonly string[];
  /** The lowest sufficient role on a project. `undefined` if no role is required. */
  readonly role: string | undefined;
  /** True if the call covers all projects on which the caller has the role; false if it names one project. */
  readonly everyProject: boolean;
  /** True if the caller needs the role on all projects. */
  readonly allProjects: boolean;
}

export function requirementOf(method: DescMethod, names: ScopeNames): Requirement {
  const { anyScope, role, everyProject, allProjects } = getOption(method, authorization);
  return {
    scopes: anyScope.map((scope) => names.nameOf(scope)),
    role: role === Role.ROLE_UNSPECIFIED ? undefined : Role[role].toLowerCase(),
    everyProject,
    allProjects,
  };
}

/** Returns all scopes that any of the methods accepts, in contract order. */
export function scopesOf(methods: readonly DescMethod[]): Scope[] {
  const scopes = methods.flatMap((method) => getOption(method, authorization).anyScope);
  return [...new Set(scopes)].sort((a, b) => a - b);
}
