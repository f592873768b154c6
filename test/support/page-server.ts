import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build, type Rollup } from "vite";

/** A web server whose only page runs one script. */
export interface PageServer {
  /** As browsers name it: `http://127.0.0.1:40123`. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Bundles a script with all that it imports. */
export async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "warn",
    build: { write: false, minify: false, lib: { entry, formats: ["es"], fileName: "page" } },
  });
  const [{ output }] = [built].flat() as [Rollup.RollupOutput];
  return output[0].code;
}

/** Serves a page that runs `script`, on an origin of its own. */
export async function servePage(script: string): Promise<PageServer> {
  const answers: Readonly<Record<string, [type: string, body: string]>> = {
    "/": ["text/html", '<!doctype html><title>Page</title><script type="module" src="/page.js"></script>'],
    "/page.js": ["text/javascript", script],
  };
  const server = createServer(({ url = "" }, response) => {
    const [type, body] = answers[url] ?? ["text/plain", ""];
    response.writeHead(url in answers ? 200 : 404, { "content-type": type }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
