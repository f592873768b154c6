import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CACHE, nodeIn } from "../cluster/chdb-package.mjs";
import { need } from "../needs.js";
import { packagePath } from "../package-path.js";
import { textOf } from "../text-of.js";

need("Linux", "root", "buildah", "debootstrap", "Node.js 24");

/** Configuration of an image, as container engines read it. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, object>>;
  readonly StopSignal: string;
  readonly Healthcheck: { readonly Test: readonly string[] };
}

/** An image of `Dockerfile`, and the root directory of a container with it. */
export interface ContainerImage {
  readonly config: ImageConfig;
  /** Size of all files, in bytes. */
  readonly bytes: number;
  readonly root: string;
  remove(): void;
}

/** Files of a built clone that `scripts/image.mjs` reads. */
const CLONE = ["LICENSE", "bin", "dist", "docs-dist", "package-lock.json", "package.json", "proto"];

const run = (program: string, args: readonly string[]): string =>
  execFileSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 2 ** 26,
  }).trim();

const storage = join(CACHE, "containers");
const buildah = (...args: readonly string[]): string =>
  run("buildah", ["--root", storage, "--runroot", join(storage, "run"), ...args]);

/**
 * Builds `Dockerfile` from this clone, which replaces its first stage: tests run in an installed and built clone. The
 * base is Debian with Node.js, because tests reach no registry of images.
 */
export function buildImage(): ContainerImage {
  const base = baseImage();
  const directory = mkdtempSync(join(tmpdir(), "waybill-image-"));
  const name = `localhost/waybill:${process.pid}`;
  try {
    const clone = join(directory, "build");
    for (const path of CLONE) cpSync(packagePath(path), join(clone, path), { recursive: true });
    mkdirSync(join(clone, "scripts"));
    copyFileSync(packagePath("scripts/image.mjs"), join(clone, "scripts/image.mjs"));
    copyRuntimePackages(clone);
    const isolation = ["--isolation", "chroot", "--format", "docker", "--layers=false"];
    const stages = ["--build-arg", `BASE=${base}`, "--build-context", `clone=${directory}`];
    buildah("build", ...isolation, ...stages, "--tag", name, "--file", packagePath("Dockerfile"), directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
  const [{ size }] = JSON.parse(buildah("images", "--json", name)) as [{ readonly size: string }];
  const { config } = JSON.parse(buildah("inspect", "--type", "image", name)).Docker as {
    config: ImageConfig;
  };
  const container = buildah("from", name);
  return {
    config,
    bytes: bytesOf(size),
    root: buildah("mount", container),
    remove: () => {
      buildah("rm", container);
      buildah("rmi", name);
    },
  };
}

/** Converts a size such as `229 MB` to bytes. */
function bytesOf(text: string): number {
  const [, size, unit = ""] = /^([\d.]+) ([KMG]?B)$/.exec(text) ?? [];
  return Number(size) * 1000 ** ["B", "KB", "MB", "GB"].indexOf(unit);
}

/** Creates the base from Debian's packages and the recommended Node.js. Later runs use it again. */
function baseImage(): string {
  const [, version = ""] =
    /^ARG BASE=node:(\d+)-/m.exec(readFileSync(packagePath("Dockerfile"), "utf8")) ?? [];
  const parts = ["bookworm", "libstdc++6", run(nodeIn(version), ["--version"])];
  const [suite = "", packages] = parts;
  const key = createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 16);
  const name = `localhost/waybill-base:${key}`;
  if (existsSync(storage) && buildah("images", "--quiet", "--filter", `reference=${name}`) !== "")
    return name;
  const directory = mkdtempSync(join(tmpdir(), "waybill-base-"));
  try {
    run("/usr/sbin/debootstrap", ["--variant=minbase", `--include=${packages}`, suite, directory]);
    copyFileSync(nodeIn(version), join(directory, "usr/local/bin/node"));
    const container = buildah("from", "scratch");
    buildah("add", "--quiet", container, directory, "/");
    buildah("commit", "--quiet", "--rm", container, name);
  } finally {
    rmSync(directory, { recursive: true });
  }
  return name;
}

/** Copies all packages except development dependencies. */
function copyRuntimePackages(target: string): void {
  const { packages } = JSON.parse(readFileSync(packagePath("package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>;
  };
  for (const [path, { dev, devOptional, link }] of Object.entries(packages)) {
    const isNeeded = path.startsWith("node_modules/") && !dev && !devOptional && !link;
    if (!isNeeded || !existsSync(packagePath(path))) continue;
    mkdirSync(dirname(join(target, path)), { recursive: true });
    cpSync(packagePath(path), join(target, path), { recursive: true });
  }
}

/**
 * Prepares namespaces like a container engine: a read-only root file system with a volume and a configuration, and a
 * network without other machines. Then starts a command in it.
 */
const CONTAINER = `set -e
root=$1; data=$2; config=$3; shift 3
mkdir -p "$root/proc"
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount --bind "$config" "$root/etc/waybill"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
ip link set lo up
exec "$@"`;

/** Arguments that run a command in the root directory, as the image configures it. */
const within = ({ root, config: { User, Env } }: ContainerImage, command: readonly string[]): string[] => [
  ...["env", "--ignore-environment", ...Env],
  ...["/usr/sbin/chroot", `--userspec=${User}`, root, ...command],
];

/** Starts the image. @param data directory of the volume. @param config directory with `waybill.yaml`. */
export function startContainer(image: ContainerImage, data: string, config: string): ChildProcess {
  const { Entrypoint, Cmd } = image.config;
  const namespaces = ["--mount", "--net", "--pid", "--fork", "--kill-child", "sh", "-c", CONTAINER, "sh"];
  const command = within(image, [...Entrypoint, ...Cmd]);
  return spawn("unshare", [...namespaces, image.root, data, config, ...command], {
    stdio: ["ignore", "pipe", "ignore"],
  });
}

/** Returns the process id of a container's first process. */
export const firstProcess = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim());

/** Runs a command in a running container. @returns its exit code and output. */
export async function execInContainer(
  image: ContainerImage,
  process: number,
  command: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const inNamespaces = ["--target", String(process), "--mount", "--net", "--pid", "--"];
  const child = spawn("nsenter", [...inNamespaces, ...within(image, command)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output: `${stdout()}${stderr()}`.trim() };
}
