import { once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import type { AddressInfo } from "node:net";
import { create, toJsonString } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../../api/api-error.js";
import { EncodedJson } from "../../api/encoded-response.js";
import type { PlainRoute } from "../../api/plain-route.js";
import type { Authorize, ServiceImplementation } from "../../api/service.js";
import { Code } from "../../gen/google/rpc/code_pb.js";
import { respondToSpecialCases, SERVER_OPTIONS } from "../../http/http-server.js";
import { type CallScope, type Outcome, requestIds } from "../../http/request-record.js";
import { ResponseShares } from "../../http/responses/response-shares.js";
import { StoreUnavailableError } from "../../model/store-error.js";
import { JsonHandler } from "../json-handler.js";
import { HttpBodySchema } from "./gen/google/api/httpbody_pb.js";
import {
  BookSchema,
  LibraryService,
  SearchBooksResponseSchema,
  TagBookResponseSchema,
  UploadPagesResponseSchema,
} from "./gen/waybill/testing/v1/library_pb.js";

export const DOMAIN = "library.test";

/** Responses contain the request, to show how it was bound. */
export const libraryImplementation: ServiceImplementation<string, typeof LibraryService> = {
  service: LibraryService,
  handlers: {
    getBook: async ({ name, isbn, copy }) => {
      if (name === "shelves/1/books/missing") {
        throw new ApiError({
          code: Code.NOT_FOUND,
          reason: "RESOURCE_NOT_FOUND",
          message: `There is no ${name}.`,
          metadata: { name },
        });
      }
      if (name === "shelves/1/books/broken") throw new TypeError("secret of the inside");
      if (name === "shelves/1/books/lent") throw new StoreUnavailableError("secret of the inside");
      if (name === "shelves/1/books/large") return largeBook;
      return create(BookSchema, { name, title: `isbn ${isbn} copy ${copy}` });
    },
    searchBooks: async (request) =>
      create(SearchBooksResponseSchema, {
        request,
        nextPageToken: "more",
        books: [
          {
            name: "shelves/1/books/1",
            title: "One",
            pages: 100n,
            author: { displayName: "Ann", mentor: { displayName: "Ben" } },
            chapters: [
              { title: "I", firstPage: 1 },
              { title: "II", firstPage: 9 },
            ],
            labels: { genre: "crime" },
            notes: { shelf: { row: 3, place: 4 } },
            publishedTime: { seconds: 0n },
          },
          { name: "shelves/1/books/2", title: "Two" },
        ],
      }),
    updateBook: async ({ book, updateMask }) =>
      create(BookSchema, {
        name: book?.name ?? "",
        title: `${book?.title} (${updateMask?.paths.join() ?? "all"})`,
      }),
    moveBook: async ({ name, destination, position }) =>
      create(BookSchema, { name, title: `to ${destination} at ${position}` }),
    deleteBook: async () => create(EmptySchema),
    tagBook: async ({ tags }) => create(TagBookResponseSchema, { tags }),
    getFile: async ({ path }) =>
      create(HttpBodySchema, { contentType: "text/plain", data: Buffer.from(`file ${path}`) }),
    lockBook: async ({ name }) => create(BookSchema, { name, title: "locked" }),
    uploadPages: async ({ name, pages, draft }, { body }) => {
      if (name === "shelves/1/books/refused") {
        throw ApiError.invalidArgument("REFUSED", "name", "accepts no pages");
      }
      let byteCount = 0n;
      for await (const chunk of body) byteCount += BigInt(chunk.length);
      return create(UploadPagesResponseSchema, {
        name,
        draft,
        byteCount,
        contentType: pages?.contentType ?? "",
      });
    },
  },
};

const largeBook = new EncodedJson(
  Buffer.from(
    toJsonString(
      BookSchema,
      create(BookSchema, { title: "Large", author: { displayName: "x".repeat(5000) } }),
    ),
  ),
);

export interface LibraryOptions {
  readonly services?: readonly ServiceImplementation<string>[];
  readonly authorize?: Authorize<string>;
  readonly shares?: ResponseShares;
  readonly plainRoutes?: readonly PlainRoute[];
  readonly observe?: (outcome: Outcome<string>) => void;
  readonly scope?: CallScope;
  readonly server?: ServerOptions;
}

export interface Library {
  readonly url: string;
  readonly server: Server;
  /** Rejects new requests, while the server still accepts connections. */
  stop(): void;
  /** Rejects new requests and connections, and waits for requests in progress. */
  close(): Promise<void>;
}

export async function startLibrary(options: LibraryOptions = {}): Promise<Library> {
  const json = new JsonHandler({
    services: options.services ?? [libraryImplementation],
    errorDomain: DOMAIN,
    authorize: options.authorize ?? (() => () => "anyone"),
    budgetKeyOf: (caller) => caller,
    shares: options.shares ?? new ResponseShares(),
    plainRoutes: options.plainRoutes ?? [],
    bodyLimit: 10_000,
    newRequestId: requestIds(),
    ...(options.observe && { observe: options.observe }),
    ...(options.scope && { scope: options.scope }),
  });
  const handle: RequestListener = (request, response) => json.handle(request, response);
  const server = createServer({ ...SERVER_OPTIONS, ...options.server }, handle);
  respondToSpecialCases(server, handle, DOMAIN);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    json.stop();
    await new Promise((resolve) => server.close(resolve));
    await json.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, server, stop: () => json.stop(), close };
}
