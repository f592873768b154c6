import { expectedDecoding } from "./percent-decoding.js";

/** The parameters in a query of `deliveryData.list`. */
export interface ExpectedListParameters {
  readonly request: Readonly<Record<string, string | number>>;
  readonly system: { readonly fields?: string; readonly prettyPrint?: boolean };
}

const FIELDS: Readonly<Record<string, string>> = {
  ...{ pageSize: "pageSize", page_size: "pageSize", pageToken: "pageToken", page_token: "pageToken" },
  ...{ filter: "filter", asOf: "asOf", as_of: "asOf" },
};

/** A time of RFC 3339, with a day that may not exist. */
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const [FIRST_TIME, LAST_TIME] = ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"].map(Date.parse);

/** Valid values of each system parameter. */
const SYSTEM: Readonly<Record<string, RegExp>> = {
  ...{ alt: /^json$/, prettyPrint: /^(?:true|false)$/, "$.xgafv": /^[12]$/ },
  ...{ fields: /^/, $fields: /^/, key: /^/, quotaUser: /^/, uploadType: /^/, upload_protocol: /^/ },
};

/**
 * Reads a query of `projects/p/androidApps/a%2Fb` by the tables in the decisions on queries and system
 * parameters.
 * @returns undefined if anything is wrong with the query.
 */
export function expectedListParameters(query: string): ExpectedListParameters | undefined {
  const request: Record<string, string | number> = { parent: "projects/p/androidApps/a%2Fb" };
  const system: { fields?: string; prettyPrint?: boolean } = {};
  const seen = new Set<string>();
  for (const piece of query.split("&").filter((piece) => piece !== "")) {
    const [rawName = "", ...rest] = piece.split("=");
    const name = expectedDecoding(rawName, { plus: true });
    const value = expectedDecoding(rest.join("="), { plus: true });
    if (name === undefined || value === undefined) return undefined;
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
    const form = Object.hasOwn(SYSTEM, name) ? SYSTEM[name] : undefined;
    const identity = field ?? (name === "$fields" ? "fields" : name);
    if (seen.has(identity)) return undefined;
    seen.add(identity);
    if (field === "pageSize") {
      if (!/^[+-]?[0-9]+$/.test(value)) return undefined;
      const number = BigInt(value.replace("+", ""));
      if (number !== BigInt.asIntN(32, number)) return undefined;
      request.pageSize = Number(number);
    } else if (field === "asOf") {
      if (!isTime(value)) return undefined;
      request.asOf = value;
    } else if (field !== undefined) request[field] = value;
    else if (form?.test(value) !== true) return undefined;
    else if (identity === "fields") system.fields = value;
    else if (name === "prettyPrint") system.prettyPrint = value === "true";
  }
  return { request, system };
}

function isTime(text: string): boolean {
  const [, year = 0, month = 0, day = 0] = (TIME.exec(text) ?? []).map(Number);
  const time = Date.parse(text);
  return day > 0 && day <= daysIn(year, month) && time >= Number(FIRST_TIME) && time <= Number(LAST_TIME);
}

/** Returns the number of days in a month (RFC 3339, section 5.7). */
function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
