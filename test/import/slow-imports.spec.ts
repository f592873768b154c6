import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect } from "vitest";
import { rejectionOf } from "../../src/api/testing/error-of.js";
import { accepted } from "../support/data/delivery-data.js";
import { importInto, ndjson, postEvents } from "../support/data/import.js";
import { test as serving } from "../support/servers/fixtures.js";
import { BASE_CONFIG, OTHER_PROJECT, PROJECT } from "../support/servers/project.js";

const OTHER_EDITOR = "other-editor@example.com";
const COLLEAGUE = "colleague@example.com";
const BODY = ndjson([accepted("slow", "2026-01-02T20:00:00Z")]);
/** More lines than the server collects before it parses them. */
const PARSED = BODY.repeat(10_000);

serving.override("config", {
  ...BASE_CONFIG,
  access: [
    ...BASE_CONFIG.access,
    { principal: OTHER_EDITOR, projects: [OTHER_PROJECT.id], role: "editor" },
    { principal: COLLEAGUE, projects: [PROJECT.id], role: "editor" },
  ],
});
const test = serving
  .extend("other", { scope: "file" }, ({ server }) => server.token(OTHER_EDITOR))
  .extend("colleague", { scope: "file" }, ({ server }) => server.token(COLLEAGUE))
  /** Opens imports with incomplete bodies, and waits until the server has started each. */
  .extend("openImports", ({ server, editor }) => async (count: number, part: string): Promise<void> => {
    const { hostname, port } = new URL(server.messagingDataUrl);
    const head = [
      `POST ${importInto()} HTTP/1.1`,
      "Host: x",
      `Authorization: Bearer ${editor}`,
      "Content-Type: application/x-ndjson",
      "Content-Length: 2000000",
      "Expect: 100-continue",
    ];
    await Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect({ host: hostname, port: Number(port) });
        open.push(socket);
        socket.write(`${head.join("\r\n")}\r\n\r\n`);
        await once(socket, "data");
        await new Promise((resolve) => socket.write(part, resolve));
      }),
    );
  })
  .extend(
    "importAs",
    ({ server }) =>
      (token: string, project: string) =>
        postEvents(server, token, BODY, { project }),
  );

const open: Socket[] = [];
afterEach(async () => {
  const closed = open.map((socket) => once(socket, "close"));
  for (const socket of open.splice(0)) socket.destroy();
  await Promise.all(closed);
});

test("slow imports without complete lines do not block other imports", async ({
  editor,
  openImports,
  importAs,
  other,
}) => {
  await openImports(40, BODY.slice(0, 30));
  expect((await importAs(editor, PROJECT.id)).status).toBe(200);
  expect((await importAs(other, OTHER_PROJECT.id)).status).toBe(200);
});

test("slow imports that use all slots and memory of one project do not block another project", async ({
  openImports,
  importAs,
  colleague,
  other,
}) => {
  await openImports(20, PARSED);
  await openImports(300, BODY.slice(0, 30));
  expect(rejectionOf(await importAs(colleague, PROJECT.id))).toEqual([503, "IMPORT_QUEUE_FULL"]);
  expect((await importAs(other, OTHER_PROJECT.id)).status).toBe(200);
});
