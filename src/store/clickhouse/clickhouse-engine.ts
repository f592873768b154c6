import * as z from "zod";
import { filePath, nonEmpty, readCredential, readPassword, requireBoth } from "../../control/config-parts.js";
import type { StoreEngine } from "../store-engine.js";
import type { ConnectionOptions } from "./connection.js";

/** Schema of a name that needs no escaping in statements and table paths. */
const name = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
    "must have at most 63 letters, digits and underscores, and not begin with a digit",
  );

const url = z
  .string()
  .meta({ title: "URL" })
  .superRefine((text, context) => {
    const problem = (message: string) => context.addIssue({ code: "custom", message });
    const parsed = URL.canParse(text) ? new URL(text) : undefined;
    if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
      problem("must be an http or https URL such as http://ch1.example.com:8123");
    else if (parsed.username !== "" || parsed.password !== "")
      problem("must not have credentials; use username and passwordFile");
    else if (parsed.pathname !== "/" || parsed.search !== "" || parsed.hash !== "")
      problem("must end with the port; use database for the database name");
  });

/** Schema of the config key `store` for this engine. */
const clickHouseSchema = z.strictObject({
  engine: z.literal("clickhouse"),
  urls: z.array(url).min(1, "must name a server"),
  database: name.default("waybill"),
  cluster: name.optional(),
  username: nonEmpty.default("default"),
  passwordFile: filePath.optional(),
  tls: z
    .strictObject({ ca: filePath, certificate: filePath.optional(), key: filePath.optional() })
    .superRefine(requireBoth)
    .optional(),
});

/** Parsed config key `store`. Files are still paths. */
export type ClickHouseKeys = z.output<typeof clickHouseSchema>;

/** Environment variable with the password. It is used if the config has no password file. */
const PASSWORD_VARIABLE = "CLICKHOUSE_PASSWORD";

/** Reads the files that the config names. @throws StoreOpenError with the config key of a file that cannot be read. */
export async function readConnectionOptions(keys: ClickHouseKeys): Promise<ConnectionOptions> {
  const { urls, username, passwordFile, tls } = keys;
  const password = await readPassword("store.passwordFile", passwordFile);
  const ca = await readCredential("store.tls.ca", tls?.ca);
  const certificate = await readCredential("store.tls.certificate", tls?.certificate);
  const key = await readCredential("store.tls.key", tls?.key);
  return {
    urls,
    username,
    password: password ?? process.env[PASSWORD_VARIABLE],
    caCertificate: ca,
    ...(certificate && key && { clientCertificate: { certificate, key } }),
  };
}

/** The ClickHouse engine, for a single server or a cluster, and for any number of processes. */
export const CLICKHOUSE_ENGINE = {
  name: "clickhouse",
  schema: clickHouseSchema,
  needsLedger: true,
  open: async (keys, { days, leases, clock, nameLimits }) => {
    if (days === undefined) throw new Error("the store needs a day ledger");
    // The driver is loaded only in processes that use it.
    const { ClickHouseStore } = await import("./clickhouse-store.js");
    const { database, cluster } = keys;
    return ClickHouseStore.open({
      ...(await readConnectionOptions(keys)),
      database,
      cluster,
      ledger: days,
      leases,
      clock,
      nameLimits,
    });
  },
  planUpgrade: async (keys) => {
    const { planUpgradeOfTables } = await import("./open-tables.js");
    const { database, cluster } = keys;
    return planUpgradeOfTables({ ...(await readConnectionOptions(keys)), database, cluster });
  },
} satisfies StoreEngine<ClickHouseKeys>;
