// The reference of all methods and their messages, as Markdown, from the OpenAPI documents that the services serve.
import { ScopeNames } from "../../dist/auth/scopes.js";
import { descriptionRoutes } from "../../dist/descriptions/description-routes.js";
import { SERVICES } from "../../dist/server/config/services.js";

const DESCRIBED = Object.values(SERVICES).map(({ contract, port }) => ({
  service: contract,
  baseUrl: () => `http://127.0.0.1:${port}`,
}));

function openApiOf(described) {
  const routes = descriptionRoutes({ ...described, scopeNames: new ScopeNames(), programVersion: "" });
  const route = routes.find(({ path }) => path === "/openapi.json");
  return JSON.parse(route.respond({ query: "" }).body.bytes);
}

const cell = (text = "") => text.replaceAll("\n", " ").replaceAll("|", "\\|");
const table = (heads, rows) =>
  rows.length === 0
    ? ""
    : [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** A type as text, with a link if it is a message. */
function typeText({ $ref, type, format, items, additionalProperties, anyOf } = {}) {
  if ($ref !== undefined) return messageLink($ref.split("/").at(-1));
  if (anyOf !== undefined) return anyOf.map(typeText).join(" or ");
  if (items !== undefined) return `list of ${typeText(items)}`;
  if (additionalProperties?.type !== undefined) return `map of ${typeText(additionalProperties)}`;
  return format === undefined ? String(type ?? "any") : `${type} (${format})`;
}
const messageLink = (name) => `[${name}](#${name.toLowerCase()})`;

function operationText(path, method, operation, shared) {
  const own = [...shared, ...(operation.parameters ?? [])].filter(({ name }) => name !== undefined);
  const parameters = own.map(({ name, in: place, description, schema }) => [
    `\`${name}\``,
    `${place}, ${typeText(schema)}`,
    cell(description),
  ]);
  const contentOf = ({ content = {} } = {}) => Object.entries(content);
  const bodies = contentOf(operation.requestBody).map(
    ([mediaType, { schema }]) => `\`${mediaType}\`: ${typeText(schema)}`,
  );
  const results = contentOf(operation.responses["200"]).map(
    ([mediaType, { schema }]) => `\`${mediaType}\`: ${typeText(schema)}`,
  );
  return [
    `### ${operation.operationId}`,
    `\`${method.toUpperCase()} ${path}\``,
    operation.description ?? operation.summary ?? "",
    table(["Parameter", "Place and type", "Description"], parameters),
    bodies.length === 0 ? "" : `Request body: ${bodies.join(", ")}`,
    results.length === 0 ? "" : `Response: ${results.join(", ")}`,
  ].join("\n\n");
}

function messageText([name, { description, properties = {}, enum: values = [] }]) {
  const fields = Object.entries(properties).map(([field, schema]) => [
    `\`${field}\``,
    typeText(schema),
    cell(schema.description),
  ]);
  return [
    `### ${name}`,
    description ?? "",
    values.map((value) => `\`${value}\``).join(", "),
    table(["Field", "Type", "Description"], fields),
  ].join("\n\n");
}

/** All methods of both services, then all messages by name. */
export function methodPages() {
  const documents = DESCRIBED.map(openApiOf);
  const services = documents.flatMap(({ info, paths }) => [
    `## ${info.title}`,
    info.description ?? "",
    ...Object.entries(paths).flatMap(([path, { parameters = [], ...methods }]) =>
      Object.entries(methods).map(([method, operation]) =>
        operationText(path, method, operation, parameters),
      ),
    ),
  ]);
  const messages = Object.entries(
    Object.assign({}, ...documents.map(({ components }) => components.schemas)),
  );
  messages.sort(([a], [b]) => (a < b ? -1 : 1));
  return [...services, "## Messages", ...messages.map(messageText)].join("\n\n");
}
