import { build, type Rollup } from "vite";
import { type LoopbackServer, loopbackServer } from "../../../src/http/testing/loopback-server.js";

/** A web server with a single page that runs one script. */
export type PageServer = LoopbackServer;

/** Bundles a script with its imports. */
export async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: "page" } },
  });
  const [{ output }] = [built].flat() as [Rollup.RollupOutput];
  return output[0].code;
}

/** Serves a page that runs `script`, on its own origin. */
export async function servePage(script: string): Promise<PageServer> {
  const responses: Readonly<Record<string, [type: string, body: string]>> = {
    "/": ["text/html", '<!doctype html><title>Page</title><script type="module" src="/page.js"></script>'],
    "/page.js": ["text/javascript", script],
  };
  return loopbackServer(({ url = "" }, response) => {
    const [type, body] = responses[url] ?? ["text/plain", ""];
    response.writeHead(url in responses ? 200 : 404, { "content-type": type }).end(body);
  });
}
