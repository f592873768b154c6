import { temporaryDirectory } from "../temporary-directory.js";
import { BASE_CONFIG } from "./project.js";
import { type ServerProcess, startProcess } from "./server-process.js";

/** A server in its own directory, which `close` removes. */
export interface OpenServer extends ServerProcess {
  close(): Promise<void>;
}

/** Starts `waybill serve` in a new directory. */
export async function openServer(config: object = BASE_CONFIG): Promise<OpenServer> {
  const { path, remove } = await temporaryDirectory();
  const server = await startProcess(path, config);
  const close = async (): Promise<void> => {
    await server.stop();
    await remove();
  };
  return { ...server, close };
}
