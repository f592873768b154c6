import {
  type CallOptions,
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientReadableStream,
  type ClientWritableStream,
  credentials,
  Metadata,
  type MethodDefinition,
  type ServiceDefinition,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { loadSync, type MessageTypeDefinition, type PackageDefinition } from "@grpc/proto-loader";
import type { WireError } from "../../../src/api/testing/error-of.js";
import { packagePath } from "../package-path.js";

/** The contract, loaded at run time as users of this client do. */
const CONTRACT: PackageDefinition = loadSync(
  [
    "waybill/integrity/v1/integrity.proto",
    "waybill/messagingdata/v1beta1/messaging_data.proto",
    "waybill/registry/v1/registry.proto",
    "google/rpc/status.proto",
    "google/rpc/error_details.proto",
    "health/v1/health.proto",
  ],
  {
    includeDirs: ["proto", "node_modules/google-proto-files", "node_modules/grpc-health-check/proto"].map(
      packagePath,
    ),
    longs: String,
    enums: String,
  },
);

type Values = Readonly<Record<string, unknown>>;
type Method = MethodDefinition<object, Values>;

/** A call's response, with its metadata. */
export interface GrpcResult<T> {
  readonly message: T;
  readonly headers: Metadata;
}

export interface GrpcCall extends CallOptions {
  /** Access token for `authorization: Bearer`. */
  readonly token?: string | undefined;
  /** Further metadata. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A client of one service with its own connection. */
export class GrpcService {
  readonly client: Client;
  readonly #service: ServiceDefinition;

  /** @param name full name of the service. */
  constructor(
    url: string,
    name: string,
    options: ChannelOptions = {},
    channelCredentials: ChannelCredentials = credentials.createInsecure(),
  ) {
    this.client = new Client(new URL(url).host, channelCredentials, {
      // A separate connection for each client, even for the same address.
      "grpc.use_local_subchannel_pool": 1,
      ...options,
    });
    this.#service = CONTRACT[name] as ServiceDefinition;
  }

  /** Makes a unary call. Rejects with ServiceError. */
  unary<T = Values>(
    method: string,
    request: object,
    { token, metadata, ...options }: GrpcCall = {},
  ): Promise<GrpcResult<T>> {
    const { path, requestSerialize, responseDeserialize } = this.#method(method);
    return new Promise((resolve, reject) => {
      let headers = new Metadata();
      const call = this.client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        authorized(token, metadata),
        options,
        (error, message) => (error === null ? resolve({ message: message as T, headers }) : reject(error)),
      );
      call.on("metadata", (given: Metadata) => {
        headers = given;
      });
    });
  }

  upload(
    method: string,
    { token, ...options }: GrpcCall = {},
  ): { stream: ClientWritableStream<object>; response: Promise<Values> } {
    const { path, requestSerialize, responseDeserialize } = this.#method(method);
    let settle: (error: ServiceError | null, message?: Values) => void = () => {};
    const response = new Promise<Values>((resolve, reject) => {
      settle = (error, message) => (error === null ? resolve(message ?? {}) : reject(error));
    });
    // Marks the rejection as handled; tests may await it later.
    response.catch(() => {});
    const stream = this.client.makeClientStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      authorized(token),
      options,
      (error, message) => settle(error, message),
    );
    return { stream, response };
  }

  /** Opens a server stream. */
  download(method: string, request: object, options: CallOptions = {}): ClientReadableStream<Values> {
    const { path, requestSerialize, responseDeserialize } = this.#method(method);
    return this.client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, options);
  }

  close(): void {
    this.client.close();
  }

  #method(name: string): Method {
    const method = this.#service[name];
    if (method === undefined) throw new Error(`there is no method ${name}`);
    return method as unknown as Method;
  }
}

function authorized(token: string | undefined, values: Readonly<Record<string, string>> = {}): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) metadata.set(name, value);
  if (token !== undefined) metadata.set("authorization", `Bearer ${token}`);
  return metadata;
}

/** A failed call's error; rejects if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  return call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: ServiceError) => error,
  );
}

interface Any {
  readonly type_url: string;
  readonly value: Uint8Array;
}

/** The details in a failure's metadata, in the form that `errorOf` returns for HTTP/JSON. */
export function wireErrorOf({ code, details: message, metadata }: ServiceError): Omit<WireError, "code"> {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(bytes)) throw new Error(`${code} ${message} has no details`);
  const decoded = decode("google.rpc.Status", bytes) as { code: number; message: string; details: Any[] };
  if (decoded.code !== code || decoded.message !== message)
    throw new Error("the status is not that of the details");
  const details = decoded.details.map(({ type_url, value }) => [
    type_url,
    decode(type_url.slice(type_url.lastIndexOf("/") + 1), value),
  ]);
  const types = details.map(([type]) => type);
  const expected = ["ErrorInfo", "BadRequest"].map((name) => `type.googleapis.com/google.rpc.${name}`);
  if (types.join() !== expected.slice(0, types.length).join()) throw new Error(`the details are ${types}`);
  const [[, info], [, badRequest] = []] = details as [[string, Info], [string, BadRequest]?];
  return {
    status: status[code],
    message,
    reason: info.reason,
    domain: info.domain,
    metadata: info.metadata ?? {},
    fields: badRequest?.fieldViolations.map(({ field }) => field) ?? [],
  };
}

interface Info {
  readonly reason: string;
  readonly domain: string;
  readonly metadata?: Record<string, string>;
}

interface BadRequest {
  readonly fieldViolations: readonly { readonly field: string }[];
}

function decode(type: string, bytes: Uint8Array): object {
  return (CONTRACT[type] as MessageTypeDefinition<object, object>).deserialize(Buffer.from(bytes));
}
