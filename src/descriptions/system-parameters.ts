/** A parameter that every operation accepts, in addition to its request fields. */
export interface SystemParameter {
  readonly name: string;
  readonly type: "string" | "boolean";
  readonly description: string;
  readonly default?: string;
  readonly values?: Readonly<Record<string, string>>;
}

/** System parameters that `transcoding/system-parameters.ts` accepts, by their usual names. */
export const SYSTEM_PARAMETERS: readonly SystemParameter[] = [
  {
    name: "$.xgafv",
    type: "string",
    description: "Version of the error format. It has no effect: errors always have the second format.",
    values: { "1": "v1 error format", "2": "v2 error format" },
  },
  {
    name: "alt",
    type: "string",
    description: "Response format.",
    default: "json",
    values: { json: "JSON, with the Content-Type application/json" },
  },
  {
    name: "fields",
    type: "string",
    description: "Response fields to send, such as `name,tokenTtl`. If omitted, all fields are sent.",
  },
  {
    name: "key",
    type: "string",
    description: "API key. It has no effect: every request needs an access token.",
  },
  { name: "prettyPrint", type: "boolean", description: "True to indent the response.", default: "false" },
  { name: "quotaUser", type: "string", description: "User to count the request for. It has no effect." },
  { name: "uploadType", type: "string", description: "Legacy upload protocol. It has no effect." },
  { name: "upload_protocol", type: "string", description: "Upload protocol. It has no effect." },
];
