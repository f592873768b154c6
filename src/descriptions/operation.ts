import {
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
} from "@bufbuild/protobuf";
import { HttpBodySchema } from "../gen/google/api/httpbody_pb.js";
import { type Body, body as bodyOption } from "../gen/waybill/media/v1/body_pb.js";
import { valueParserOf } from "../transcoding/binding/parameter-value.js";
import { type HttpBinding, httpBindings } from "../transcoding/http-rule.js";
import type { TemplateVariable } from "../transcoding/path-template.js";
import { valueTypeOf } from "./value-type.js";

/** One way to call a method by HTTP, as descriptions show it. */
export interface Operation {
  readonly method: DescMethod;
  readonly binding: HttpBinding;
  /** What it is about, from the outermost collection on: `projects`, `apps`, `appAttestConfig`. */
  readonly resources: readonly string[];
  /** What it does with that: `batchGet`. */
  readonly name: string;
  readonly pathParameters: readonly PathParameter[];
  readonly queryParameters: readonly QueryParameter[];
  /** undefined if there is no body. */
  readonly request: Content | undefined;
  readonly response: Content;
}

/** A variable of the path. */
export interface PathParameter {
  /** JSON name of the field that it is bound to, without the messages around that: `name` for `app_attest_config.name`. */
  readonly name: string;
  readonly field: DescField;
  readonly variable: TemplateVariable;
}

/** A field of the request that is given in the query. */
export interface QueryParameter {
  /** Path of the field in JSON names, such as `author.displayName`. */
  readonly name: string;
  readonly field: DescField;
}

/** What a body holds. */
export type Content =
  | { readonly kind: "message"; readonly message: DescMessage }
  /** The JSON of one field that is no message. */
  | { readonly kind: "field"; readonly field: DescField }
  /** Bytes as they are. */
  | {
      readonly kind: "bytes";
      /** `google.api.HttpBody` */
      readonly message: DescMessage;
      readonly mediaType: string;
      /** Name of the message of which each line has one in JSON, if there are such lines. */
      readonly lineType: string | undefined;
    };

/** `projects.apps.appAttestConfig.get`, as clients name the operation. */
export const localId = ({ resources, name }: Operation): string => [...resources, name].join(".");

/** All operations of a service, in the order of the contract. */
export function operationsOf(service: DescService): Operation[] {
  return service.methods.flatMap((method) =>
    httpBindings(method).map((binding) => operationOf(method, binding)),
  );
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
    resources: resourcesOf(binding, method.parent),
    name: nameOf(method, binding),
    pathParameters,
    queryParameters: body === "*" ? [] : queryParametersOf(method.input, binding),
    request: body === "*" ? contentOf(method.input) : body && contentOf(body),
    response: contentOf(responseBody ?? method.output),
  };
}

/** The literal segments between version and verb. `-` stands for any parent, and is the name of nothing (AIP-159). */
function resourcesOf({ template }: HttpBinding, { file }: DescService): string[] {
  const version = file.proto.package.split(".").at(-1);
  const literals = template.segments.flatMap((segment) => (segment.kind === "literal" ? [segment.text] : []));
  return (literals[0] === version ? literals.slice(1) : literals).filter((text) => text !== "-");
}

/** The verb of the path, or that of the method's name, where PATCH is always `patch` (AIP-134, as public APIs have it). */
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

/** The fields that neither path nor body take, down into messages that the query can name the fields of. */
function queryParametersOf(input: DescMessage, { template, body }: HttpBinding): QueryParameter[] {
  const inPath = new Set(template.variables.map(({ fieldPath }) => fieldPath));
  const below = (message: DescMessage, around: readonly DescField[]): QueryParameter[] =>
    message.fields.flatMap((field) => {
      const path = [...around, field];
      if (field === body || inPath.has(path.map(({ name }) => name).join("."))) return [];
      if (valueParserOf(field) !== undefined) {
        return [{ name: path.map(({ jsonName }) => jsonName).join("."), field }];
      }
      // A message within itself could be named without end.
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
