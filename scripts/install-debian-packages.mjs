// Installs missing Debian packages that tests need: install-debian-packages.mjs NAME…
// Exits with 1 if that is not possible.
import { spawnSync } from "node:child_process";

const packages = process.argv.slice(2);

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    // Sends progress to stderr, because stdout belongs to the tests.
    stdio: ["ignore", 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return error === undefined && status === 0;
}

function isInstalled(name) {
  const { stdout } = spawnSync("dpkg-query", ["--status", name], { encoding: "utf8" });
  return /^Status: .* installed$/m.test(stdout ?? "");
}

/** Runs a command as root, or through sudo if that needs no password. */
function runAsRoot(command, args) {
  return process.getuid() === 0 ? run(command, args) : run("sudo", ["-n", command, ...args]);
}

const missing = packages.filter((name) => !isInstalled(name));
if (missing.length > 0) {
  const install = ["install", "-y", "--no-install-recommends", ...missing];
  // The package lists may be missing or outdated.
  const installed =
    runAsRoot("apt-get", install) || (runAsRoot("apt-get", ["update"]) && runAsRoot("apt-get", install));
  if (!installed) {
    console.error(`Debian packages that tests need cannot be installed here: ${missing.join(", ")}`);
    process.exit(1);
  }
}
