import type { ConnectionOptions } from "node:tls";
import * as z from "zod";
import { filePath, readCredential, readPassword, requireBoth } from "../config-parts.js";

const url = z
  .string()
  .meta({ title: "URL" })
  .superRefine((text, context) => {
    const problem = (message: string) => context.addIssue({ code: "custom", message });
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.hostname === "")
      problem("must be a URL such as postgres://waybill@db.example.com:5432/waybill");
    else if (parsed.password !== "") problem("must not have a password; use passwordFile");
    else if (parsed.username === "" || !/^\/[^/]+$/.test(parsed.pathname))
      problem("must name a user and a database");
    else if (parsed.search !== "" || parsed.hash !== "")
      problem("must not have parameters; use the other keys");
  });

/** Schema of the config key `control` for this engine. */
export const postgresSchema = z.strictObject({
  engine: z.literal("postgres"),
  url,
  passwordFile: filePath.optional(),
  tls: z
    .strictObject({ ca: filePath.optional(), certificate: filePath.optional(), key: filePath.optional() })
    .superRefine(requireBoth)
    .optional(),
  connections: z.number().int().min(2).default(8),
});

/** Parsed config key `control`. Files are still paths. */
export type PostgresOptions = z.output<typeof postgresSchema>;

export interface PostgresAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** Omitted if the password is in the environment (`PGPASSWORD`), or if the server requires none. */
  readonly password?: string;
  /** TLS options; false to connect without TLS. */
  readonly ssl: ConnectionOptions | false;
}

/** Reads the files that the config names. @throws StoreOpenError with the config key if a file cannot be read. */
export async function readAddress({ url, passwordFile, tls }: PostgresOptions): Promise<PostgresAddress> {
  const { hostname, port, username, pathname } = new URL(url);
  const password = await readPassword("control.passwordFile", passwordFile);
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? 5432 : Number(port),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    ...(password !== undefined && { password }),
    ssl: tls === undefined ? false : await readTls(tls),
  };
}

async function readTls({
  ca,
  certificate,
  key,
}: NonNullable<PostgresOptions["tls"]>): Promise<ConnectionOptions> {
  const [caBytes, certBytes, keyBytes] = await Promise.all([
    readCredential("control.tls.ca", ca),
    readCredential("control.tls.certificate", certificate),
    readCredential("control.tls.key", key),
  ]);
  return {
    ...(caBytes !== undefined && { ca: caBytes }),
    ...(certBytes !== undefined && { cert: certBytes }),
    ...(keyBytes !== undefined && { key: keyBytes }),
  };
}
