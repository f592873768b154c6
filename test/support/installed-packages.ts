import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packagePath } from "./package-path.js";
import { temporaryDirectory } from "./temporary-directory.js";

/** Both packages, each installed from its tarball into an empty project. */
export interface InstalledPackages {
  readonly serverProject: string;
  readonly clientProject: string;
  readonly clientTarball: string;
}

const run = promisify(execFile);

/** Packs both packages, and installs them. Needs a build. */
export async function installPackages(): Promise<{ address: InstalledPackages; close(): Promise<void> }> {
  const { path, remove } = await temporaryDirectory();
  try {
    const [server, client] = await Promise.all([
      packAndInstall(packagePath("."), join(path, "server")),
      packAndInstall(packagePath("packages/client"), join(path, "client")),
    ]);
    const address = {
      serverProject: server.project,
      clientProject: client.project,
      clientTarball: client.tarball,
    };
    return { address, close: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Reuses packages that an installation of this project has downloaded. */
async function packAndInstall(
  source: string,
  project: string,
): Promise<{ project: string; tarball: string }> {
  const packed = `${project}-tarball`;
  await Promise.all([mkdir(project), mkdir(packed)]);
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", packed];
  const { stdout } = await run("npm", pack, { cwd: source, maxBuffer: 2 ** 24 });
  const [{ filename = "" } = {}] = JSON.parse(stdout) as { readonly filename: string }[];
  const tarball = join(packed, filename);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const install = ["install", "--prefer-offline", "--no-audit", "--no-fund", tarball];
  await run("npm", install, { cwd: project });
  return { project, tarball };
}
