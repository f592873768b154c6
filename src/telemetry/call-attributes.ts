import type { Attributes } from "@opentelemetry/api";
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_RPC_METHOD,
  ATTR_RPC_STATUS_CODE,
  ATTR_RPC_SYSTEM_NAME,
} from "@opentelemetry/semantic-conventions";
import { Code } from "../gen/google/rpc/code_pb.js";
import type { Contract, EndedCall } from "./tracing.js";

/** HTTP methods of the semantic conventions. Any other is `_OTHER`, because clients could invent thousands. */
const HTTP_METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]);

const methodOf = (httpMethod: string): string => (HTTP_METHODS.has(httpMethod) ? httpMethod : "_OTHER");

/** Returns a span name for a call: the method with its service, or the HTTP method and the route of other paths. */
export function spanNameOf(
  contract: Contract,
  { protocol, target, httpMethod, operation, route }: EndedCall,
): string {
  const name = methodOf(httpMethod);
  if (operation === undefined) return name === "_OTHER" ? "HTTP" : name;
  if (protocol !== "http") return rpcMethodOf(target);
  if (contract.methods.some((method) => method.name === operation))
    return `${contract.typeName}/${operation}`;
  return `${name} ${route}`;
}

/** Returns span attributes for a call. They follow the semantic conventions for RPC or HTTP. */
export function callAttributes(call: EndedCall): Attributes {
  const { protocol, target, httpMethod, operation, route, status, error } = call;
  if (protocol === "http" || operation === undefined) {
    return {
      [ATTR_HTTP_REQUEST_METHOD]: methodOf(httpMethod),
      [ATTR_HTTP_RESPONSE_STATUS_CODE]: status,
      [ATTR_HTTP_ROUTE]: route,
    };
  }
  return {
    [ATTR_RPC_SYSTEM_NAME]: protocol === "connect" ? "connectrpc" : "grpc",
    [ATTR_RPC_METHOD]: rpcMethodOf(target),
    [ATTR_RPC_STATUS_CODE]: rpcStatusOf(status, error?.code),
  };
}

/** Returns the method in an RPC's target, with its service. */
const rpcMethodOf = (target: string): string => target.slice(1).replace(/\?.*/s, "");

const CLIENT_LEFT = 499;

const rpcStatusOf = (status: number, code: number = Code.OK): string =>
  status === CLIENT_LEFT ? "CANCELLED" : (Code[code] ?? "UNKNOWN");
