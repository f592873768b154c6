import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

const BALLAST = "ballast";
const PIECE = Buffer.alloc(1024 * 1024);

/** A separate disk for a data directory that can be filled up: a mounted `tmpfs`. */
export class RamDisk {
  readonly #mount: string;
  /** A directory on the disk. */
  readonly dataDir: string;

  private constructor(mount: string) {
    this.#mount = mount;
    this.dataDir = join(mount, "data");
  }

  /** @returns undefined if mounting is not permitted. */
  static mount(path: string, mebibytes: number): RamDisk | undefined {
    mkdirSync(path, { recursive: true });
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=0700`, "tmpfs", path], {
        stdio: "ignore",
      });
    } catch {
      return undefined;
    }
    return new RamDisk(path);
  }

  /** Fills all free space. */
  fill(): void {
    const file = openSync(join(this.#mount, BALLAST), "a");
    try {
      for (let size = PIECE.length; size > 0; ) {
        try {
          writeSync(file, PIECE, 0, size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
          size = Math.floor(size / 2);
        }
      }
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(join(this.#mount, BALLAST), { force: true });
  }

  unmount(): void {
    execFileSync("umount", ["--lazy", this.#mount]);
  }
}
