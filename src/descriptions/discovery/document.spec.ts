import { describe, expect, it, test } from "vitest";
import { LIBRARY } from "../testing/library-description.js";
import { discoveryDocument } from "./document.js";

interface Method {
  readonly path: string;
  readonly flatPath: string;
  readonly httpMethod: string;
  readonly parameters: Readonly<Record<string, object>>;
  readonly parameterOrder: readonly string[];
  readonly request?: object;
  readonly response?: object;
}
interface Resource {
  readonly methods?: Readonly<Record<string, Method>>;
  readonly resources?: Readonly<Record<string, Resource>>;
}

const document = discoveryDocument(LIBRARY, "v1");

/** Returns the methods below a resource, by their names relative to it. */
function methodsIn({ methods = {}, resources = {} }: Resource): [string, Method][] {
  return [
    ...Object.entries(methods),
    ...Object.entries(resources).flatMap(([name, resource]) =>
      methodsIn(resource).map(([rest, method]): [string, Method] => [`${name}.${rest}`, method]),
    ),
  ];
}
const methods = new Map(methodsIn(document as Resource));

it("a discovery document contains the API's name and address", () => {
  expect(document).toMatchObject({
    kind: "discovery#restDescription",
    discoveryVersion: "v1",
    id: "testing:v1",
    name: "testing",
    version: "v1",
    revision: "1.2.3",
    title: "Waybill Library API",
    canonicalName: "Library",
    rootUrl: "https://library.example.com/api/",
    servicePath: "",
    baseUrl: "https://library.example.com/api/",
  });
});

describe("a discovery document", () => {
  test.each<[name: string, method: Partial<Method>]>([
    [
      "shelves.books.get",
      {
        httpMethod: "GET",
        path: "v1/{+name}",
        flatPath: "v1/shelves/{shelvesId}/books/{booksId}",
        parameterOrder: ["name"],
        response: { $ref: "Book" },
      },
    ],
    ["books.get", { httpMethod: "GET", path: "v1/books/{name}", flatPath: "v1/books/{name}" }],
    [
      "isbn.copies.get",
      { path: "v1/isbn/{isbn}/copies/{copy}", parameterOrder: ["isbn", "copy"], response: { $ref: "Book" } },
    ],
    [
      "shelves.books.search",
      { path: "v1/{+parent}/books", flatPath: "v1/shelves/{shelvesId}/books", parameterOrder: ["parent"] },
    ],
    [
      "shelves.books.patch",
      { httpMethod: "PATCH", path: "v1/{+name}", request: { $ref: "Book" }, response: { $ref: "Book" } },
    ],
    [
      "shelves.books.move",
      { httpMethod: "POST", path: "v1/{+name}:move", request: { $ref: "MoveBookRequest" } },
    ],
    ["shelves.books.delete", { httpMethod: "DELETE", response: { $ref: "Empty" } }],
    ["shelves.books.tags.tag", { httpMethod: "PUT", path: "v1/{+name}/tags" }],
    [
      "files.get",
      { path: "v1/files/{+path}", flatPath: "v1/files/{filesId}", response: { $ref: "HttpBody" } },
    ],
    ["archive.zip.list", { path: "v1/archive/{+path}:list", flatPath: "v1/archive/zip/{zipId}:list" }],
    ["shelves.books.lock", { httpMethod: "LOCK", path: "v1/{+name}" }],
    ["shelves.books.pages.upload", { path: "v1/{+name}/pages:upload", request: { $ref: "HttpBody" } }],
  ])("contains the method %s", (name, method) => {
    expect(methods.get(name)).toMatchObject(method);
  });

  it("contains all methods", () => {
    expect(methods.size).toBe(12);
  });

  it("omits the schema of requests and responses without one", () => {
    const tag = methods.get("shelves.books.tags.tag");
    expect(tag).not.toHaveProperty("request");
    expect(tag).not.toHaveProperty("response");
  });
});

describe("a discovery document", () => {
  const path = { location: "path", required: true };
  test.each<[method: string, parameter: string, schema: object]>([
    ["shelves.books.get", "name", { ...path, type: "string", pattern: "^shelves/[^/]+/books/[^/]+$" }],
    ["books.get", "name", { ...path, type: "string" }],
    ["isbn.copies.get", "isbn", { ...path, type: "string", format: "uint64" }],
    ["files.get", "path", { ...path, type: "string", pattern: "^.*$" }],
    ["archive.zip.list", "path", { ...path, type: "string", pattern: "^zip/.*$" }],
    ["shelves.books.patch", "name", { ...path, type: "string", pattern: "^shelves/[^/]+/books/[^/]+$" }],
    ["shelves.books.patch", "updateMask", { location: "query", type: "string", format: "google-fieldmask" }],
    ["shelves.books.search", "pageSize", { location: "query", type: "integer", format: "int32" }],
    ["shelves.books.search", "tags", { location: "query", type: "string", repeated: true }],
    ["shelves.books.search", "available", { location: "query", type: "boolean" }],
    ["shelves.books.search", "minPages", { location: "query", type: "string", format: "int64" }],
    ["shelves.books.search", "edition", { location: "query", type: "integer", format: "uint32" }],
    ["shelves.books.search", "rating", { location: "query", type: "number", format: "float" }],
    ["shelves.books.search", "price", { location: "query", type: "number", format: "double" }],
    ["shelves.books.search", "coverHash", { location: "query", type: "string", format: "byte" }],
    ["shelves.books.search", "copies", { location: "query", type: "integer", format: "int32" }],
    ["shelves.books.search", "loanPeriod", { location: "query", type: "string", format: "google-duration" }],
    [
      "shelves.books.search",
      "publishedAfter",
      { location: "query", type: "string", format: "google-datetime" },
    ],
    ["shelves.books.search", "author.displayName", { location: "query", type: "string" }],
    ["shelves.books.search", "floor", { location: "query", type: "integer", format: "int32" }],
    ["shelves.books.pages.upload", "draft", { location: "query", type: "boolean" }],
    [
      "shelves.books.search",
      "anyBinding",
      {
        location: "query",
        type: "string",
        repeated: true,
        enum: ["BINDING_UNSPECIFIED", "PAPERBACK", "HARDCOVER"],
        enumDescriptions: ["", "", ""],
      },
    ],
  ])("lists for the method %s the parameter %s", (method, parameter, schema) => {
    expect(methods.get(method)?.parameters[parameter]).toEqual(schema);
  });

  test.each([
    ["shelves.books.search", "chapters", "lists of messages"],
    ["shelves.books.search", "labels", "maps"],
    ["shelves.books.search", "notes", "objects of any form"],
    ["shelves.books.search", "author", "messages as a whole"],
    ["shelves.books.move", "destination", "fields of the body"],
    ["shelves.books.patch", "book.name", "fields of the path in other words"],
    ["shelves.books.pages.upload", "pages", "the body"],
  ])("does not list for the method %s the parameter %s (%s)", (method, parameter) => {
    expect(methods.get(method)?.parameters).not.toHaveProperty([parameter]);
  });
});

test.each<[property: string, schema: object]>([
  ["name", { type: "string" }],
  ["pages", { type: "string", format: "int64" }],
  ["author", { $ref: "Author" }],
  ["chapters", { type: "array", items: { $ref: "Chapter" } }],
  ["labels", { type: "object", additionalProperties: { type: "string" } }],
  ["publishedTime", { type: "string", format: "google-datetime" }],
  ["notes", { type: "object", additionalProperties: { type: "any" } }],
])("a message schema in a discovery document contains the property %s", (property, schema) => {
  const { schemas } = document as { schemas: Record<string, { properties: Record<string, object> }> };
  expect(schemas.Book?.properties[property]).toEqual(schema);
});

it("a discovery document contains the schemas of all messages in use, and no others", () => {
  expect(Object.keys(document.schemas ?? {})).toEqual([
    "Author",
    "Book",
    "Chapter",
    "Empty",
    "HttpBody",
    "MoveBookRequest",
    "SearchBooksRequest",
    "SearchBooksResponse",
    "UploadPagesResponse",
  ]);
});
