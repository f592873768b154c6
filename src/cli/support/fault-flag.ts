import { InvalidArgumentError } from "commander";
import type { Fault } from "../../simulator/faults.js";
import { losAngelesDays } from "../../simulator/los-angeles-time.js";

const KEYS = ["label", "from", "to", "delivered"];

/**
 * Parses the value of `--fault`, such as `label=promo,from=2025-03-10,delivered=0.4`.
 *
 * @throws InvalidArgumentError that names the key.
 */
export function faultFlag(text: string): Fault {
  const values = new Map<string, string>();
  for (const pair of text.split(",")) {
    const [, key = pair, value] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
    if (value === undefined || !KEYS.includes(key))
      throw new InvalidArgumentError(`"${key}" is not one of ${KEYS.join("=, ")}=.`);
    if (values.has(key)) throw new InvalidArgumentError(`${key} is given twice.`);
    values.set(key, value);
  }
  const label = values.get("label");
  const from = date("from", values.get("from"));
  const to = values.has("to") ? date("to", values.get("to")) : undefined;
  if (to !== undefined && to < from) throw new InvalidArgumentError("to must not be before from.");
  const delivered = Number(values.get("delivered") || Number.NaN);
  if (!(delivered >= 0 && delivered < 1))
    throw new InvalidArgumentError("delivered must be a number from 0 to below 1.");
  return { ...(label !== undefined && { label }), from, ...(to !== undefined && { to }), delivered };
}

function date(key: string, text = ""): string {
  try {
    losAngelesDays(text, 1);
    return text;
  } catch {
    throw new InvalidArgumentError(`${key} must be a date, YYYY-MM-DD.`);
  }
}
