/** A parameter that every operation accepts in addition to its request fields. */
export interface SystemParameter {
  readonly name: string;
  readonly type: "string" | "boolean";
  readonly description: string;
  readonly default?: string;
  /** Allowed values with their descriptions. */
  readonly values?: Readonly<Record<string, string>>;
}

/** The system parameters that `transcoding/system-parameters.ts` accepts, each under its usual name. */
export const SYSTEM_PARAMETERS: readonly SystemParameter[] = [
  {
    name: "$.xgafv",
    type: "string",
    description: "Version of the error format, without effect: errors always have the second.",
    values: { "1": "v1 error format", "2": "v2 error format" },
  },
  {
    name: "alt",
    type: "string",
    description: "Format of the answer.",
    default: "json",
    values: { json: "JSON, with the Content-Type application/json" },
  },
  {
    name: "fields",
    type: "string",
    description: "Which fields of the answer to send, such as `name,tokenTtl`; all of them without it.",
  },
  {
    name: "key",
    type: "string",
    description: "API key, without effect: every request needs an access token.",
  },
  { name: "prettyPrint", type: "boolean", description: "Whether to indent the answer.", default: "false" },
  { name: "quotaUser", type: "string", description: "Whom to count the request for, without effect." },
  { name: "uploadType", type: "string", description: "Legacy upload protocol, without effect." },
  { name: "upload_protocol", type: "string", description: "Upload protocol, without effect." },
];
