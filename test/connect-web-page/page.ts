// Runs in the browser: makes calls for a test with the public client for browsers.
import { type DescMessage, type DescService, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import {
  type BadRequestJson,
  BadRequestSchema,
  type ErrorInfoJson,
  ErrorInfoSchema,
} from "../../src/gen/google/rpc/error_details_pb.js";
import { Health } from "../../src/gen/health/v1/health_pb.js";
import { IntegrityService } from "../../src/gen/waybill/integrity/v1/integrity_pb.js";
import { MessagingDataService } from "../../src/gen/waybill/messagingdata/v1beta1/messaging_data_pb.js";

const TRANSPORTS = {
  "Connect in JSON": (baseUrl: string) => createConnectTransport({ baseUrl }),
  "Connect in JSON, reads by GET": (baseUrl: string) => createConnectTransport({ baseUrl, useHttpGet: true }),
  "Connect in binary": (baseUrl: string) => createConnectTransport({ baseUrl, useBinaryFormat: true }),
  "Connect in binary, reads by GET": (baseUrl: string) =>
    createConnectTransport({ baseUrl, useBinaryFormat: true, useHttpGet: true }),
  "gRPC-Web": (baseUrl: string) => createGrpcWebTransport({ baseUrl }),
  "gRPC-Web in JSON": (baseUrl: string) => createGrpcWebTransport({ baseUrl, useBinaryFormat: false }),
} as const satisfies Readonly<Record<string, (baseUrl: string) => Transport>>;

const SERVICES = { Health, IntegrityService, MessagingDataService } as const;

export interface Call {
  readonly transport: keyof typeof TRANSPORTS;
  readonly url: string;
  readonly service: keyof typeof SERVICES;
  /** Local name, such as `getAppAttestConfig`. */
  readonly method: string;
  readonly request: object;
  /** Empty for a call without a token. */
  readonly token: string;
  /** Deadline of the call in milliseconds. */
  readonly timeoutMs?: number;
}

/** A call's outcome as the page's application sees it. */
export interface Outcome {
  readonly response?: unknown;
  readonly requestId?: string | null;
  readonly error?: {
    readonly code: keyof typeof Code;
    readonly message: string;
    readonly errorInfo?: ErrorInfoJson;
    readonly badRequest?: BadRequestJson;
  };
}

declare global {
  var callWaybill: (call: Call) => Promise<Outcome>;
}

globalThis.callWaybill = async ({ transport, url, service, method, request, token, timeoutMs }) => {
  const desc: DescService = SERVICES[service];
  const { input, output } = methodOf(desc, method);
  const client = createClient(desc, TRANSPORTS[transport](url)) as unknown as Record<string, UnaryCall>;
  const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
  let requestId: string | null = null;
  const onHeader = (given: Headers): void => {
    requestId = given.get("x-request-id");
  };
  try {
    const response = await client[method]?.(fromJson(input, request as JsonValue), {
      headers,
      onHeader,
      timeoutMs,
    });
    return { response: toJson(output, response as never), requestId };
  } catch (cause) {
    return { error: errorParts(ConnectError.from(cause)) };
  }
};

type UnaryCall = (request: unknown, options: object) => Promise<unknown>;

function methodOf(service: DescService, name: string): { input: DescMessage; output: DescMessage } {
  const method = service.methods.find(({ localName }) => localName === name);
  if (method === undefined) throw new Error(`${service} has no method ${name}`);
  return method;
}

function errorParts(error: ConnectError): NonNullable<Outcome["error"]> {
  const [errorInfo] = error.findDetails(ErrorInfoSchema).map((detail) => toJson(ErrorInfoSchema, detail));
  const [badRequest] = error.findDetails(BadRequestSchema).map((detail) => toJson(BadRequestSchema, detail));
  return {
    code: Code[error.code] as keyof typeof Code,
    message: error.rawMessage,
    ...(errorInfo !== undefined && { errorInfo }),
    ...(badRequest !== undefined && { badRequest }),
  };
}
