// Writes the root directory of a container image: the built clone without development files, this Node.js, and the shared libraries
// of both. image.mjs DIRECTORY
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [target] = process.argv.slice(2);
const clone = fileURLToPath(new URL("..", import.meta.url));

/** Files of the package that a running server reads. */
const PACKAGE = ["LICENSE", "bin", "docs-dist", "package.json", "proto"];
const BUILT = /\/(?:bundle|console)\/|\.(?:binpb|sql|wasm)$/;
/** Files of npm packages that only developers read. */
const DEVELOPMENT = /\.(?:d\.[cm]?ts|map|md|markdown)$/;
/** `env` starts the command, and `sh` lets operators look around. */
const PROGRAMS = ["/usr/bin/env", "/bin/sh"];
const NODE = "/usr/local/bin/node";
/** The user id in deploy/kubernetes, too. */
const USER = 1000;

const inImage = (path) => join(target, path);

/** Copies a file or directory to a path in the image, without symbolic links. */
function copy(from, to, filter = () => true) {
  mkdirSync(dirname(inImage(to)), { recursive: true });
  cpSync(from, inImage(to), { recursive: true, dereference: true, filter });
}

/** Paths of the installed npm packages that the bundled server needs on Debian. */
function runtimePackages() {
  const { packages } = JSON.parse(readFileSync(join(clone, "package-lock.json"), "utf8"));
  const found = new Set();
  const add = (from, { dependencies, optionalDependencies }) => {
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const path = placesFrom(from, name).find((place) => packages[place] !== undefined);
      if (path === undefined || found.has(path) || path.endsWith("-musl") || !existsSync(join(clone, path)))
        continue;
      found.add(path);
      add(path, packages[path]);
    }
  };
  add("", packages[""]);
  return [...found];
}

/** Paths at which Node.js looks for a package, as seen from another one. */
function placesFrom(path, name) {
  const place = join(path, "node_modules", name);
  return path === ""
    ? [place]
    : [place, ...placesFrom(path.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, ""), name)];
}

/** Files with native code below a path in the image. */
const nativeFilesIn = (path) =>
  readdirSync(inImage(path), { recursive: true })
    .filter((name) => /\.(?:node|so)$/.test(name))
    .map((name) => inImage(join(path, name)));

/** Shared libraries that programs and libraries need, with the loader. */
function librariesOf(files) {
  const lines = files.flatMap((file) => execFileSync("ldd", [file], { encoding: "utf8" }).split("\n"));
  const paths = lines.flatMap((line) => /(?:=> |^\t)(\/\S+) \(0x/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter((path) => !path.startsWith(target));
}

for (const path of PACKAGE)
  copy(join(clone, path), join("waybill", path), (file) => !/\/\.built$/.test(file));
for (const name of readdirSync(join(clone, "dist"), { recursive: true }))
  if (BUILT.test(`/${name}`)) copy(join(clone, "dist", name), join("waybill/dist", name));
for (const path of runtimePackages())
  copy(join(clone, path), join("waybill", path), (file) => !DEVELOPMENT.test(file));
copy(realpathSync(process.execPath), NODE);
for (const program of PROGRAMS) copy(program, program);
const native = nativeFilesIn("waybill/node_modules");
for (const library of librariesOf([process.execPath, ...PROGRAMS, ...native])) copy(library, library);

mkdirSync(inImage("etc/waybill"), { recursive: true });
writeFileSync(
  inImage("etc/passwd"),
  `root:x:0:0:root:/root:/bin/sh\nwaybill:x:${USER}:${USER}::/data:/bin/sh\n`,
);
writeFileSync(inImage("etc/group"), `root:x:0:\nwaybill:x:${USER}:\n`);
writeFileSync(inImage("etc/nsswitch.conf"), "hosts: files dns\n");
mkdirSync(inImage("data"), { mode: 0o700 });
chownSync(inImage("data"), USER, USER);
mkdirSync(inImage("tmp"));
chmodSync(inImage("tmp"), 0o1777);
