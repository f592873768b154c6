import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { UpdateAppAttestConfigRequestSchema } from "../../gen/waybill/integrity/v1/integrity_pb.js";
import { excerpt } from "../../limits/excerpt.js";
import { parsePathTemplate } from "../path-template.js";
import {
  GetBookRequestSchema,
  GetFileRequestSchema,
  MoveBookRequestSchema,
  SearchBooksRequestSchema,
  UpdateBookRequestSchema,
} from "../testing/gen/waybill/testing/v1/library_pb.js";
import { type BodyBinding, type BoundParameters, ParameterBinder } from "./parameter-binder.js";

function binderOf(
  schema: ConstructorParameters<typeof ParameterBinder>[0],
  template: string,
  body?: BodyBinding,
): ParameterBinder {
  return new ParameterBinder(schema, parsePathTemplate(template).variables, body);
}

const bind = (binder: ParameterBinder, query: string, captures: Record<string, string>): BoundParameters =>
  binder.bind(binder.bindPath(new Map(Object.entries(captures))), query);

const search = binderOf(SearchBooksRequestSchema, "/v1/{parent=shelves/*}/books");

/** Path variables of a search. */
const SHELF = { parent: "shelves/1" };

/** ProtoJSON of the request that a query produces, without the fields from the path. */
function bound(query: string): JsonObject {
  const { request } = bind(search, query, SHELF);
  const { parent, ...rest } = toJson(
    SearchBooksRequestSchema,
    fromJson(SearchBooksRequestSchema, request),
  ) as JsonObject;
  expect(parent).toBe("shelves/1");
  return rest;
}

/** An error's reason, with the names of all invalid parameters. */
function rejection(binder: ParameterBinder, query: string, captures: Record<string, string>): string[] {
  try {
    bind(binder, query, captures);
  } catch (error) {
    if (error instanceof ApiError && error.httpStatus === 400) {
      return [error.reason, ...error.violations.map(({ field }) => field)];
    }
    throw error;
  }
  return [];
}

describe("a query", () => {
  test.each<[query: string, request: JsonObject]>([
    ["", {}],
    ["&&", {}],
    ["pageSize=5", { pageSize: 5 }],
    ["page_size=5", { pageSize: 5 }],
    ["page%53ize=%35", { pageSize: 5 }],
    ["pageSize=02", { pageSize: 2 }],
    ["pageSize=%2B2", { pageSize: 2 }],
    ["pageSize=%2B002", { pageSize: 2 }],
    ["pageSize=-007", { pageSize: -7 }],
    ["pageSize=-0", {}],
    ["pageSize=000", {}],
    [`pageSize=${"0".repeat(10_000)}2`, { pageSize: 2 }],
    ["pageSize=-2147483648", { pageSize: -2147483648 }],
    ["pageToken=", {}],
    ["pageToken", {}],
    ["pageToken=a=b", { pageToken: "a=b" }],
    ["pageToken=a;b", { pageToken: "a;b" }],
    ["pageToken=a+b%20c%2B", { pageToken: "a b c+" }],
    ["pageToken=%F0%9F%93%9A", { pageToken: "📚" }],
    ["tags=a&tags=b&tags=", { tags: ["a", "b", ""] }],
    ["years=-1&years=2", { years: [-1, 2] }],
    ["binding=PAPERBACK", { binding: "PAPERBACK" }],
    ["binding=2", { binding: "HARDCOVER" }],
    ["binding=02", { binding: "HARDCOVER" }],
    ["binding=77", { binding: 77 }],
    ["anyBinding=PAPERBACK&any_binding=2", { anyBinding: ["PAPERBACK", "HARDCOVER"] }],
    ["available=true", { available: true }],
    ["available=false", {}],
    ["minPages=-9223372036854775808", { minPages: "-9223372036854775808" }],
    ["minPages=%2B09223372036854775807", { minPages: "9223372036854775807" }],
    ["isbn=18446744073709551615", { isbn: "18446744073709551615" }],
    ["edition=4294967295", { edition: 4294967295 }],
    ["edition=-0", {}],
    ["copies=00", { copies: 0 }],
    ["rating=-0.5", { rating: -0.5 }],
    ["rating=NaN", { rating: "NaN" }],
    ["price=1e300", { price: 1e300 }],
    ["price=-Infinity", { price: "-Infinity" }],
    ["coverHash=-_8%3D", { coverHash: "+/8=" }],
    ["coverHash=%2B%2F8", { coverHash: "+/8=" }],
    ["copies=0", { copies: 0 }],
    ["note=", { note: "" }],
    ["signed=false", { signed: false }],
    ["readMask=title,author.displayName", { readMask: "title,author.displayName" }],
    ["readMask=title,author.display_name", { readMask: "title,author.displayName" }],
    ["read_mask=page_size,pageToken,page_size", { readMask: "pageSize,pageToken" }],
    ["readMask=no_such_field.at_all", { readMask: "noSuchField.atAll" }],
    ["readMask=*", { readMask: "*" }],
    [`readMask=title${",title".repeat(2_000)}`, { readMask: "title" }],
    ["readMask=", { readMask: "" }],
    ["loanPeriod=3.5s", { loanPeriod: "3.500s" }],
    ["loanPeriod=-1s", { loanPeriod: "-1s" }],
    ["publishedAfter=2026-01-31T12:00:00.5%2B01:00", { publishedAfter: "2026-01-31T11:00:00.500Z" }],
    ["author.displayName=x", { author: { displayName: "x" } }],
    ["author.display_name=", { author: {} }],
    [
      "author.displayName=x&author.mentor.displayName=y",
      { author: { displayName: "x", mentor: { displayName: "y" } } },
    ],
    ["room=a", { room: "a" }],
    ["floor=0", { floor: 0 }],
    ["volume=0", { volume: 0 }],
    ["key=of+the+request", { key: "of the request" }],
    // Unescaped UTF-8 bytes.
    ["pageToken=\xc3\xa9%C3%A9", { pageToken: "éé" }],
    ["alt=json&quotaUser=x&uploadType=x&upload_protocol=x&%24.xgafv=2", {}],
  ])("%j produces %j", (query, request) => {
    expect(bound(query)).toEqual(request);
  });

  test.each<[query: string, reason: string, ...parameters: string[]]>([
    ["nope=1", "UNKNOWN_PARAMETER", "nope"],
    ["=1", "UNKNOWN_PARAMETER", "query"],
    ["=%FF", "UNKNOWN_PARAMETER", "query"],
    ["pageToken=\xe9", "MALFORMED_QUERY", "pageToken"],
    ["PageSize=1", "UNKNOWN_PARAMETER", "PageSize"],
    ["author.nope=1", "UNKNOWN_PARAMETER", "author.nope"],
    ["pageToken.x=1", "UNKNOWN_PARAMETER", "pageToken.x"],
    ["tags.x=1", "UNKNOWN_PARAMETER", "tags.x"],
    ["loanPeriod.seconds=1", "UNKNOWN_PARAMETER", "loanPeriod.seconds"],
    ["toString=1", "UNKNOWN_PARAMETER", "toString"],
    ["__proto__.x=1", "UNKNOWN_PARAMETER", "__proto__.x"],
    [
      `${"author.mentor.".repeat(200)}displayName=x`,
      "UNKNOWN_PARAMETER",
      excerpt(`${"author.mentor.".repeat(200)}displayName`),
    ],
    ["pageSize=1&pageSize=1", "DUPLICATE_PARAMETER", "pageSize"],
    ["pageSize=1&page_size=1", "DUPLICATE_PARAMETER", "page_size"],
    ["author.displayName=1&author.display_name=1", "DUPLICATE_PARAMETER", "author.display_name"],
    ["alt=json&alt=json", "DUPLICATE_PARAMETER", "alt"],
    ["fields=a&$fields=a", "DUPLICATE_PARAMETER", "$fields"],
    ["parent=shelves/2", "INVALID_PARAMETER", "parent"],
    ["author=x", "INVALID_PARAMETER", "author"],
    ["chapters=x", "INVALID_PARAMETER", "chapters"],
    ["labels=x", "INVALID_PARAMETER", "labels"],
    ["labels.x=y", "UNKNOWN_PARAMETER", "labels.x"],
    ["notes=x", "INVALID_PARAMETER", "notes"],
    ["room=a&floor=1", "CONFLICTING_PARAMETER", "floor"],
    ["pageToken=%", "MALFORMED_QUERY", "pageToken"],
    ["pageToken=%ff", "MALFORMED_QUERY", "pageToken"],
    ["%zz=1", "MALFORMED_QUERY", "%zz"],
    ["pageSize=", "INVALID_PARAMETER", "pageSize"],
    ["pageSize", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=+1", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=%201", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=1+", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=1%0A", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=%2B-1", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=-", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=1_000", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=2.0", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=1e1", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=-1e0", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=0x10", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=1.5", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=1.", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=.5", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=2147483648", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=-2147483649", "INVALID_PARAMETER", "pageSize"],
    [`pageSize=${"9".repeat(10_000)}`, "INVALID_PARAMETER", "pageSize"],
    ["pageSize=NaN", "INVALID_PARAMETER", "pageSize"],
    ["pageSize=%EF%BC%91", "INVALID_PARAMETER", "pageSize"],
    ["minPages=9223372036854775808", "INVALID_PARAMETER", "minPages"],
    ["isbn=-1", "INVALID_PARAMETER", "isbn"],
    ["edition=4294967296", "INVALID_PARAMETER", "edition"],
    ["rating=1e39", "INVALID_PARAMETER", "rating"],
    ["price=1e309", "INVALID_PARAMETER", "price"],
    ["price=nan", "INVALID_PARAMETER", "price"],
    ["available=True", "INVALID_PARAMETER", "available"],
    ["available=1", "INVALID_PARAMETER", "available"],
    ["available=", "INVALID_PARAMETER", "available"],
    ["binding=paperback", "INVALID_PARAMETER", "binding"],
    ["binding=1.5", "INVALID_PARAMETER", "binding"],
    ["binding=2.0", "INVALID_PARAMETER", "binding"],
    ["coverHash=a", "INVALID_PARAMETER", "coverHash"],
    ["coverHash=ab%3D", "INVALID_PARAMETER", "coverHash"],
    ["coverHash=%2B_", "INVALID_PARAMETER", "coverHash"],
    ["copies=x", "INVALID_PARAMETER", "copies"],
    ["copies=1e1", "INVALID_PARAMETER", "copies"],
    ["rating=01", "INVALID_PARAMETER", "rating"],
    ["rating=%2B1", "INVALID_PARAMETER", "rating"],
    ["loanPeriod=3", "INVALID_PARAMETER", "loanPeriod"],
    ["loanPeriod=3sx", "INVALID_PARAMETER", "loanPeriod"],
    ["loanPeriod=1.0000000000s", "INVALID_PARAMETER", "loanPeriod"],
    ["publishedAfter=2026-01-31", "INVALID_PARAMETER", "publishedAfter"],
    ["publishedAfter=2026-13-01T00:00:00Z", "INVALID_PARAMETER", "publishedAfter"],
    ["publishedAfter=2026-02-30T00:00:00Z", "INVALID_PARAMETER", "publishedAfter"],
    ["publishedAfter=2026-01-31T24:00:00Z", "INVALID_PARAMETER", "publishedAfter"],
    ["readMask=PageSize", "INVALID_PARAMETER", "readMask"],
    ["readMask=Page_Size", "INVALID_PARAMETER", "readMask"],
    ["readMask=page__size", "INVALID_PARAMETER", "readMask"],
    [`readMask=${Array.from({ length: 101 }, (_, index) => `a${index}`)}`, "INVALID_PARAMETER", "readMask"],
    ["readMask=_page", "INVALID_PARAMETER", "readMask"],
    ["readMask=page_", "INVALID_PARAMETER", "readMask"],
    ["readMask=page_1", "INVALID_PARAMETER", "readMask"],
    ["readMask=title,", "INVALID_PARAMETER", "readMask"],
    ["readMask=title,+pages", "INVALID_PARAMETER", "readMask"],
    ["readMask=author.", "INVALID_PARAMETER", "readMask"],
    ["readMask=author.*", "INVALID_PARAMETER", "readMask"],
    ["readMask=**", "INVALID_PARAMETER", "readMask"],
    ["readMask=%00", "INVALID_PARAMETER", "readMask"],
    ["alt=media", "INVALID_PARAMETER", "alt"],
    ["prettyPrint=1", "INVALID_PARAMETER", "prettyPrint"],
    ["$.xgafv=3", "INVALID_PARAMETER", "$.xgafv"],
    ["callback=f", "PARAMETER_NOT_ALLOWED", "callback"],
    ["access_token=t", "PARAMETER_NOT_ALLOWED", "access_token"],
    ["oauth_token=t", "PARAMETER_NOT_ALLOWED", "oauth_token"],
    ["pageSize=x&nope=1&available=no", "INVALID_PARAMETER", "pageSize", "nope", "available"],
  ])("%j is rejected: %s %s", (query, ...expected) => {
    expect(rejection(search, query, { parent: "shelves/1" })).toEqual(expected);
  });

  it("sets the system parameters", () => {
    const { system } = bind(search, "%24fields=books(title)&prettyPrint=true", SHELF);
    expect(system).toEqual({ fields: "books(title)", prettyPrint: true });
  });

  it("with a token is rejected without repeating the token", () => {
    expect(() => bind(search, "access_token=s3cret", SHELF)).toThrow(/^(?!.*s3cret).*Authorization header/);
  });

  it("accepts every integer in decimal digits with any number of leading zeros", () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.nat(25), fc.boolean(), (value, zeros, plus) => {
        const sign = value < 0n ? "-" : plus ? "%2B" : "";
        const digits = "0".repeat(zeros) + String(value < 0n ? -value : value);
        expect(bound(`minPages=${sign}${digits}`)).toEqual(value === 0n ? {} : { minPages: String(value) });
      }),
    );
  });
});

describe("a path", () => {
  const byIsbn = binderOf(GetBookRequestSchema, "/v1/isbn/{isbn}/copies/{copy}");
  const byName = binderOf(GetBookRequestSchema, "/v1/{name=shelves/*/books/*}");
  const bySegment = binderOf(GetBookRequestSchema, "/v1/books/{name}");
  const update = binderOf(
    UpdateBookRequestSchema,
    "/v1/{book.name=shelves/*}",
    UpdateBookRequestSchema.field.book,
  );

  test.each<[binder: ParameterBinder, captures: Record<string, string>, request: JsonObject]>([
    [byIsbn, { isbn: "123", copy: "010" }, { isbn: "123", copy: "10" }],
    [byName, { name: "shelves/a%2Fb/books/c%20d+e" }, { name: "shelves/a%2Fb/books/c d+e" }],
    [bySegment, { name: "a%2Fb" }, { name: "a/b" }],
    [update, { "book.name": "shelves/1" }, { book: { name: "shelves/1" } }],
  ])("binds %#: %j", (binder, captures, request) => {
    expect(bind(binder, "", captures).request).toEqual(request);
  });

  test.each<[binder: ParameterBinder, captures: Record<string, string>, expected: string[]]>([
    [byName, { name: "shelves/%ff/books/%" }, ["MALFORMED_PATH", "name"]],
    [bySegment, { name: "%c0%af" }, ["MALFORMED_PATH", "name"]],
    [byIsbn, { isbn: "x", copy: "%" }, ["INVALID_PARAMETER", "isbn", "copy"]],
    [byIsbn, { isbn: "123", copy: "1e1" }, ["INVALID_PARAMETER", "copy"]],
  ])("is rejected %#: %j", (binder, captures, expected) => {
    expect(rejection(binder, "", captures)).toEqual(expected);
  });

  it.each(["chapters", "author", "nope", "labels", "loan_period.seconds"])("cannot bind %s", (field) => {
    expect(() => binderOf(SearchBooksRequestSchema, `/v1/{${field}}`)).toThrow(`${field} of waybill.testing`);
  });

  it("allows the query to set all other fields", () => {
    expect(bind(byName, "isbn=1", { name: "x" }).request).toEqual({ name: "x", isbn: "1" });
    expect(rejection(byName, "name=x", { name: "x" })).toEqual(["INVALID_PARAMETER", "name"]);
  });
});

describe("a resource name in a path", () => {
  const binder = binderOf(
    UpdateAppAttestConfigRequestSchema,
    "/v1/{app_attest_config.etag=things/*}/{app_attest_config.name=projects/*/apps/*/appAttestConfig}",
    "*",
  );
  const bindAt = (name: string) =>
    binder.bindPath(
      new Map([
        ["app_attest_config.etag", "things/projects"],
        ["app_attest_config.name", name],
      ]),
    );

  test.each([
    ["projects/p/apps/a/appAttestConfig", "p", "a"],
    ["projects/p%71/apps/projects/appAttestConfig", "pq", "projects"],
    // Like in the field value, a slash stays encoded.
    ["projects/a%2Fb/apps/%C3%A9%20%2f/appAttestConfig", "a%2Fb", "é %2f"],
  ])("%s has the ids %s and %s", (text, project, app) => {
    const name = bindAt(text).resource;
    expect([name.idIn("things"), name.idIn("projects"), name.idIn("apps")]).toEqual([
      "projects",
      project,
      app,
    ]);
  });

  test.each([
    ["projects/%zz/apps/a/appAttestConfig", "projects", "apps", "a"],
    ["projects/p/apps/%ff/appAttestConfig", "apps", "projects", "p"],
  ])("%s has a malformed id in %s and is rejected, after its id in %s was read", (text, bad, good, id) => {
    const path = bindAt(text);
    const malformed = expect.objectContaining({
      reason: "MALFORMED_PATH",
      violations: [expect.objectContaining({ field: "app_attest_config.name" })],
    });
    expect(path.resource.idIn(good)).toBe(id);
    expect(() => path.resource.idIn(bad)).toThrow(malformed);
    expect(() => binder.bind(path, "")).toThrow(malformed);
  });

  it("is read even if text after it is malformed, which is reported with the query", () => {
    const files = binderOf(GetFileRequestSchema, "/v1/{path=shelves/*/**}");
    const path = files.bindPath(new Map([["path", "shelves/a%20b/x/%ff"]]));
    expect(path.resource.idIn("shelves")).toBe("a b");
    expect(() => files.bind(path, "nope=1")).toThrow(
      expect.objectContaining({
        reason: "MALFORMED_PATH",
        violations: [expect.objectContaining({ field: "path" }), expect.objectContaining({ field: "nope" })],
      }),
    );
  });
});

describe("a body", () => {
  const move = binderOf(MoveBookRequestSchema, "/v1/{name=shelves/*}:move", "*");
  const update = binderOf(
    UpdateBookRequestSchema,
    "/v1/{book.name=shelves/*}",
    UpdateBookRequestSchema.field.book,
  );

  it("that binds all fields allows only system parameters in the query", () => {
    expect(rejection(move, "destination=x&name=y&alt=json", { name: "shelves/1" })).toEqual([
      "UNKNOWN_PARAMETER",
      "destination",
      "name",
    ]);
  });

  it("that binds one field allows the others in the query", () => {
    const captures = { "book.name": "shelves/1" };
    expect(bind(update, "updateMask=title", captures).request).toEqual({
      book: { name: "shelves/1" },
      updateMask: "title",
    });
    expect(rejection(update, "book.title=x", captures)).toEqual(["INVALID_PARAMETER", "book.title"]);
  });
});
