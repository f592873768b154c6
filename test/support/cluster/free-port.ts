import { once } from "node:events";
import { createServer } from "node:net";

/** First port, and number of ports. They are below the ports that the system assigns to connections and servers. */
const FIRST = 20_000;
const COUNT = 12_000;
/** Distance between the first ports of two processes with consecutive process ids. */
const PORTS_OF_A_PROCESS = 101;

let given = 0;

/** Finds a free port for a server that cannot choose one on its own, a different one each time. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + ((process.pid * PORTS_OF_A_PROCESS + given++) % COUNT);
    if (await isFree(port)) return port;
    if (given > COUNT) throw new Error("no port is free");
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const listening = once(probe, "listening").then(
    () => true,
    () => false,
  );
  probe.listen(port, "127.0.0.1");
  if (!(await listening)) return false;
  probe.close();
  await once(probe, "close");
  return true;
}
