/** Fields of an error response that tests check. */
export interface WireError {
  readonly code: number;
  readonly status: string;
  readonly message: string;
  readonly reason: string;
  readonly domain: string;
  readonly metadata: Record<string, string>;
  readonly fields: string[];
}

/** Parses an error response and checks its form (AIP-193). */
export function errorOf(body: string): WireError {
  const { error, ...rest } = JSON.parse(body);
  const [info, badRequest, ...others] = error.details;
  const { reason, domain, metadata = {} } = info;
  const form = [Object.keys(rest), Object.keys(error), info["@type"], badRequest?.["@type"], others];
  const type = "type.googleapis.com/google.rpc.";
  const expected = [
    [],
    ["code", "message", "status", "details"],
    `${type}ErrorInfo`,
    badRequest && `${type}BadRequest`,
    [],
  ];
  if (JSON.stringify(form) !== JSON.stringify(expected)) throw new Error(`not an AIP-193 error: ${body}`);
  const violations: { field: string }[] = badRequest?.fieldViolations ?? [];
  const { code, status, message } = error;
  return { code, status, message, reason, domain, metadata, fields: violations.map(({ field }) => field) };
}

/** Returns an error response's status and reason. */
export const rejectionOf = ({ status, text }: { readonly status: number; readonly text: string }) => [
  status,
  errorOf(text).reason,
];
