import { z } from "zod";
import { inUnits } from "./limit-forms.mjs";

const BYTES = [
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "bytes"],
];
const DURATION = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "m"],
  [1_000, "s"],
  [1, "ms"],
];

/** Returns type and default of each config key, by its path such as `auth.issuers[].jwksUri`. */
export async function configKeys() {
  const { configSchema } = await import("../../dist/server/config/config-schema.js");
  const keys = new Map();
  const schema = z.toJSONSchema(configSchema, {
    io: "input",
    // The type is that of the input, and the default that of the result.
    override: ({ zodSchema, jsonSchema }) => {
      const { type, defaultValue } = zodSchema._zod.def;
      if (type === "default") jsonSchema.default = defaultValue;
    },
  });
  addKeys(schema, "", keys);
  return keys;
}

function addKeys(schema, prefix, keys) {
  for (const alternative of alternativesOf(schema)) addKeys(alternative, prefix, keys);
  for (const [name, value] of Object.entries(schema.properties ?? {})) {
    const key = `${prefix}${name}`;
    const known = keys.get(key);
    const type = typeOf(value, name);
    const isRequired = schema.required?.includes(name) === true && value.default === undefined;
    const shownDefault = isRequired ? "required" : defaultOf(value, name);
    // A key that several alternatives have, such as engines, has the types of all.
    keys.set(key, {
      type: [...new Set([...(known?.type.split(" or ") ?? []), type])].join(" or "),
      shownDefault: known === undefined || isRequired ? (known?.shownDefault ?? shownDefault) : shownDefault,
    });
    addKeys(value, `${key}.`, keys);
    if (value.items !== undefined) addKeys(value.items, `${key}[].`, keys);
  }
}

const alternativesOf = ({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf];

function typeOf(schema) {
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) return [...new Set(alternatives.map(typeOf))].join(" or ");
  if (schema.title !== undefined) return schema.title;
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(" or ");
  switch (schema.type) {
    case "array":
      return `list of ${typeOf(schema.items).replace(/^(duration|URL|host|origin|string|path|keys)$/, pluralOf)}`;
    case "integer":
    case "number":
      return `${schema.type}${rangeOf(schema)}`;
    case "object":
      return "keys";
    case "string":
      return "string";
    default:
      return [schema.type].flat().join(" or ");
  }
}

const pluralOf = (word) => ({ keys: "objects" })[word] ?? `${word}s`;

function rangeOf({ minimum, maximum, exclusiveMinimum }) {
  const hasMaximum = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  const hasMinimum = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined)
    return ` above ${exclusiveMinimum}${hasMaximum ? `, up to ${maximum}` : ""}`;
  if (hasMinimum) return hasMaximum ? ` from ${minimum} to ${maximum}` : ` from ${minimum}`;
  return hasMaximum ? ` up to ${maximum}` : "";
}

function defaultOf(schema, name) {
  const value = schema.default;
  if (value === undefined || isEmptyObject(value)) return "";
  if (Array.isArray(value))
    return value.length === 0 ? "empty" : value.map((item) => `\`${item}\``).join(", ");
  if (typeof value === "object") return `\`${JSON.stringify(value)}\``;
  if (schema.title === "duration")
    return `\`${value === 0 ? "0s" : inUnits(value, DURATION).replace(" ", "")}\``;
  if (schema.title === "date") return `\`${new Date(value * 86_400_000).toISOString().slice(0, 10)}\``;
  if (name.endsWith("Bytes")) return `\`${value}\` (${inUnits(value, BYTES)})`;
  return `\`${value}\``;
}

const isEmptyObject = (value) =>
  typeof value === "object" && !Array.isArray(value) && Object.keys(value).length === 0;
