import { describe, expect, it, test } from "vitest";
import { ApiError } from "../../api/api-error.js";
import { SearchBooksResponseSchema } from "../testing/gen/waybill/testing/v1/library_pb.js";
import { parseFieldSelection, selectFields } from "./field-selection.js";

const RESPONSE = {
  books: [
    {
      title: "One",
      author: { displayName: "Ann", mentor: { displayName: "Ben", rival: { displayName: "Cid" } } },
      chapters: [{ title: "I", firstPage: 1 }, { title: "II" }],
      labels: { genre: "crime", "a-b": "c" },
      notes: { shelf: { row: 3, place: 4 } },
      publishedTime: "1970-01-01T00:00:00Z",
    },
    { title: "Two" },
  ],
  nextPageToken: "more",
};

const [ONE, TWO] = RESPONSE.books;

const select = (fields: string) =>
  selectFields(RESPONSE, parseFieldSelection(fields, SearchBooksResponseSchema));

describe("a field selection", () => {
  test.each<[fields: string, selected: object]>([
    ["nextPageToken", { nextPageToken: "more" }],
    ["next_page_token", { nextPageToken: "more" }],
    ["*", RESPONSE],
    ["books", { books: RESPONSE.books }],
    ["books/title", { books: [{ title: "One" }, { title: "Two" }] }],
    ["books.title", { books: [{ title: "One" }, { title: "Two" }] }],
    ["books(title)", { books: [{ title: "One" }, { title: "Two" }] }],
    ["books(title),nextPageToken", { books: [{ title: "One" }, { title: "Two" }], nextPageToken: "more" }],
    ["books(chapters/firstPage)", { books: [{ chapters: [{ firstPage: 1 }, {}] }, {}] }],
    ["books/chapters(title,first_page)", { books: [{ chapters: ONE?.chapters }, {}] }],
    [
      "books(title,author(mentor/displayName))",
      { books: [{ title: "One", author: { mentor: { displayName: "Ben" } } }, TWO] },
    ],
    ["books/title,books/labels", { books: [{ title: "One", labels: ONE?.labels }, TWO] }],
    ["books/title,books", { books: RESPONSE.books }],
    ["books,books/title", { books: RESPONSE.books }],
    ["books/labels/genre", { books: [{ labels: { genre: "crime" } }, {}] }],
    ["books/notes/shelf/row", { books: [{ notes: { shelf: { row: 3 } } }, {}] }],
    ["books/publishedTime", { books: [{ publishedTime: ONE?.publishedTime }, {}] }],
    ["*/title", { books: [{ title: "One" }, { title: "Two" }] }],
    [
      "books/*/title",
      { books: [{ author: {}, chapters: [{ title: "I" }, { title: "II" }], labels: {}, notes: {} }, {}] },
    ],
    ["books/author/*/displayName", { books: [{ author: { mentor: { displayName: "Ben" } } }, {}] }],
    ["request", {}],
  ])("%s selects %j", (fields, selected) => {
    expect(select(fields)).toEqual(selected);
  });

  test.each<[fields: string, problem: string]>([
    ["nope", 'there is no field "nope" at character 1'],
    ["books/nope", 'there is no field "nope" at character 7'],
    ["books(title,nope)", 'there is no field "nope" at character 13'],
    ["nextPageToken/x", 'there is no field "x"'],
    ["books/publishedTime/seconds", 'there is no field "seconds"'],
    ["books/title/*", 'there is no field "*"'],
    ["*/nope", 'there is no field "nope"'],
    ["books(title", 'expected ")" at character 12'],
    ["books(title))", 'unexpected ")" at character 13'],
    ["books()", "expected a field name at character 7"],
    ["books,", "expected a field name at character 7"],
    [",books", "expected a field name at character 1"],
    ["books/", "expected a field name at character 7"],
    ["books, nextPageToken", "expected a field name at character 7"],
    ["books title", 'unexpected " " at character 6'],
    [`books/author${"/mentor".repeat(40)}`, "is nested too deeply"],
    [`books/author${"(mentor".repeat(4000)}`, "is nested too deeply"],
  ])("%s is rejected", (fields, problem) => {
    expect(() => select(fields)).toThrow(ApiError);
    expect(() => select(fields)).toThrow(`Invalid fields: ${problem}`);
  });

  it("stays small if a type recurs", () => {
    expect(() => select(`books/author/${"*/".repeat(25)}displayName`)).not.toThrow();
  });
});
