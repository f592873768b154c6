import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it, test } from "vitest";
import { LIBRARY } from "../testing/library-description.js";
import { openApiDocument } from "./document.js";

interface Parameter {
  readonly name?: string;
  readonly in?: string;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}
interface PathItem {
  readonly parameters: readonly Parameter[];
  readonly [method: string]: unknown;
}

const document = openApiDocument(LIBRARY) as {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonObject>> };
} & JsonObject;

const operationOf = (method: string, path: string): Operation =>
  document.paths[path]?.[method] as unknown as Operation;

it("an OpenAPI description contains the API's name and address", () => {
  expect(document).toMatchObject({
    openapi: "3.1.1",
    info: { title: "Waybill Library API", version: "v1" },
    servers: [{ url: "https://library.example.com/api" }],
  });
});

describe("an OpenAPI description", () => {
  const book = "/v1/shelves/{shelve}/books/{book}";
  test.each<[method: string, path: string, id: string, pathParameters: readonly string[]]>([
    ["get", book, "shelves.books.get", ["shelve", "book"]],
    ["get", "/v1/books/{name}", "books.get", ["name"]],
    ["get", "/v1/isbn/{isbn}/copies/{copy}", "isbn.copies.get", ["isbn", "copy"]],
    ["get", "/v1/shelves/{shelve}/books", "shelves.books.search", ["shelve"]],
    ["patch", book, "shelves.books.patch", ["shelve", "book"]],
    ["post", `${book}:move`, "shelves.books.move", ["shelve", "book"]],
    ["delete", book, "shelves.books.delete", ["shelve", "book"]],
    ["put", `${book}/tags`, "shelves.books.tags.tag", ["shelve", "book"]],
    ["get", "/v1/files/{file}", "files.get", ["file"]],
    ["get", "/v1/archive/zip/{zip}:list", "archive.zip.list", ["zip"]],
    ["post", `${book}/pages:upload`, "shelves.books.pages.upload", ["shelve", "book"]],
  ])("contains the operation %s %s", (method, path, id, pathParameters) => {
    expect(operationOf(method, path).operationId).toBe(id);
    const inPath = document.paths[path]?.parameters.filter((parameter) => parameter.in === "path");
    expect(inPath?.map(({ name }) => name)).toEqual(pathParameters);
  });

  it("omits only operations with HTTP methods that OpenAPI does not know", () => {
    const ids = Object.values(document.paths).flatMap(({ parameters, ...methods }) => Object.keys(methods));
    expect(ids).toHaveLength(11);
  });

  test.each<[method: string, path: string, content: object]>([
    ["patch", book, { "application/json": { schema: { $ref: "#/components/schemas/Book" } } }],
    [
      "post",
      `${book}:move`,
      { "application/json": { schema: { $ref: "#/components/schemas/MoveBookRequest" } } },
    ],
    ["put", `${book}/tags`, { "application/json": { schema: { type: "array", items: { type: "string" } } } }],
    ["post", `${book}/pages:upload`, { "*/*": { schema: {} } }],
  ])("describes the request body of %s %s", (method, path, content) => {
    expect(operationOf(method, path).requestBody).toEqual({ required: true, content });
  });

  test.each<[method: string, path: string, content: object]>([
    ["get", book, { "application/json": { schema: { $ref: "#/components/schemas/Book" } } }],
    ["put", `${book}/tags`, { "application/json": { schema: { type: "array", items: { type: "string" } } } }],
    ["get", "/v1/files/{file}", { "*/*": { schema: {} } }],
  ])("describes the response of %s %s", (method, path, content) => {
    expect(operationOf(method, path).responses["200"]).toMatchObject({ content });
  });

  test.each<[name: string, schema: object]>([
    ["pageSize", { type: "integer", format: "int32" }],
    ["tags", { type: "array", items: { type: "string" } }],
    ["minPages", { type: "string", pattern: "^-?[0-9]+$" }],
    ["isbn", { type: "string", pattern: "^[0-9]+$" }],
    ["edition", { type: "integer", minimum: 0, maximum: 4_294_967_295 }],
    ["rating", { type: "number", format: "float" }],
    ["coverHash", { type: "string", contentEncoding: "base64" }],
    ["copies", { type: "integer", format: "int32" }],
    ["readMask", { type: "string" }],
    ["loanPeriod", { type: "string", pattern: "^-?[0-9]+(\\.[0-9]{1,9})?s$" }],
    ["publishedAfter", { type: "string", format: "date-time" }],
    ["author.displayName", { type: "string" }],
  ])("lists %s as a query parameter", (name, schema) => {
    const { parameters } = operationOf("get", "/v1/shelves/{shelve}/books");
    expect(parameters.find((parameter) => parameter.name === name)).toEqual({ name, in: "query", schema });
  });
});

test("an OpenAPI schema contains every field, and requires none that a response may omit", () => {
  const { Book } = document.components.schemas;
  expect(Book).toEqual({
    type: "object",
    properties: {
      name: { type: "string" },
      title: { type: "string" },
      binding: {
        type: "string",
        description: "* `BINDING_UNSPECIFIED`\n* `PAPERBACK`\n* `HARDCOVER`",
        enum: ["BINDING_UNSPECIFIED", "PAPERBACK", "HARDCOVER"],
      },
      pages: { type: "string", pattern: "^-?[0-9]+$" },
      author: { $ref: "#/components/schemas/Author" },
      chapters: { type: "array", items: { $ref: "#/components/schemas/Chapter" } },
      labels: { type: "object", additionalProperties: { type: "string" } },
      publishedTime: { type: "string", format: "date-time" },
      notes: { type: "object" },
    },
  });
});

test("an OpenAPI description defines everything to which it refers", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  const components = document.components as unknown as Record<string, Record<string, object>>;
  for (const [reference, kind = "", name = ""] of references) {
    expect(components[kind], reference).toHaveProperty([name]);
  }
});
