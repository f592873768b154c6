import { expect, it, onTestFinished } from "vitest";
import { loopbackServer } from "../../../http/testing/loopback-server.js";
import { keysFindings } from "./remote-checks.js";

it.each(["", "soon"])("does not compare clocks with a server that sends the date '%s'", async (date) => {
  const { origin, close } = await loopbackServer((_request, response) => {
    response.sendDate = false;
    if (date !== "") response.setHeader("date", date);
    response.end('{"keys":[]}');
  });
  onTestFinished(close);
  expect(await keysFindings("issuer", origin)).toEqual([
    { state: "ok", subject: "issuer", detail: `${origin} has 0 keys` },
  ]);
});
