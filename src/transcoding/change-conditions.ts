import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { isReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { ApiError } from "../api/api-error.js";
import { EncodedEntity, type ResponseEntity } from "../api/encoded-response.js";
import { headerMismatch } from "../api/errors.js";
import { checkPreconditions, type Preconditions } from "../api/preconditions.js";
import { excerpt } from "../limits/excerpt.js";
import type { HttpBinding } from "./http-rule.js";

/** The etag in requests of a method (AIP-154): a field of the request, or of the resource in its body. */
export interface EtagField {
  /** Sets the etag, if the request has none. @returns true if the request had none. */
  require(request: Message, etag: string): boolean;
}

/**
 * Returns the etag field of a binding that changes a resource. Returns undefined for other methods, and for resources
 * without etags. A POST without a verb creates a resource, which has no etag yet.
 */
export function etagFieldOf(
  input: DescMessage,
  { httpMethod, template, body }: Pick<HttpBinding, "httpMethod" | "template" | "body">,
): EtagField | undefined {
  if (httpMethod === "GET" || (httpMethod === "POST" && template.verb === undefined)) return undefined;
  const own = stringField(input, "etag");
  if (own !== undefined) return { require: (request, etag) => setIfEmpty(input, request, own, etag) };
  const resource = body === "*" ? undefined : body;
  const message = resource?.message;
  const within = message && stringField(message, "etag");
  if (resource === undefined || message === undefined || within === undefined) return undefined;
  return {
    require: (request, etag) => {
      const value = reflect(input, request).get(resource);
      return isReflectMessage(value, message) && setIfEmpty(message, value.message, within, etag);
    },
  };
}

/**
 * Returns true if a binding checks preconditions (RFC 9110 §13.1) before its change: of the resource or collection at its
 * path, or of the resource that a custom verb changes. If a verb has no etag, its handler checks them.
 */
export const isConditionalChange = (
  input: DescMessage,
  binding: Pick<HttpBinding, "httpMethod" | "template" | "body">,
): boolean =>
  binding.httpMethod !== "GET" &&
  (binding.template.verb === undefined || etagFieldOf(input, binding) !== undefined);

const stringField = ({ fields }: DescMessage, name: string): DescField | undefined =>
  fields.find((field) => field.name === name && field.fieldKind === "scalar");

function setIfEmpty(type: DescMessage, message: Message, field: DescField, etag: string): boolean {
  const fields = reflect(type, message);
  if (fields.isSet(field)) return false;
  fields.set(field, etag);
  return true;
}

/**
 * Checks the preconditions of a change (RFC 9110 §13.1) against the resource as a GET returns it. Its tags are the `ETag`
 * header of a GET, and its `etag` field.
 *
 * @param path names a resource without a name in the error, such as a collection.
 * @returns the resource's `etag`, which the change must require, so that no other change comes in between; empty if the
 *   resource has none.
 * @throws ApiError `ETAG_MISMATCH` (412).
 */
export function requiredEtag(preconditions: Preconditions, current: ResponseEntity, path: string): string {
  if (!(current instanceof EncodedEntity)) return "";
  const { name = excerpt(path), etag = "" } = JSON.parse(current.bytes.toString()) as {
    name?: string;
    etag?: string;
  };
  const quoted = etag.startsWith('"') ? etag : `"${etag}"`;
  checkPreconditions(preconditions, etag === "" ? [current.etag] : [current.etag, quoted], name);
  return etag;
}

/**
 * Converts the error that a change failed with because of {@link requiredEtag}: another change came in between, so that the
 * header does not hold. The request has no etag field to blame. Returns all other errors unchanged.
 */
export function ofHeader(error: unknown, { ifMatch }: Preconditions): unknown {
  if (!(error instanceof ApiError) || error.reason !== "ETAG_MISMATCH" || error.httpStatus !== 409)
    return error;
  const { resourceName = "" } = error.metadata;
  return headerMismatch(resourceName, ifMatch === undefined ? "If-None-Match" : "If-Match");
}
