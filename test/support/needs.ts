import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "vitest";
import { CHDB_PACKAGE, nodeIn } from "./cluster/chdb-package.mjs";

const isOnPath = (program: string): boolean =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

interface Requirement {
  isMet(): boolean;
  /** Command that installs the requirement. */
  readonly install?: string;
}

/** Describes a Debian package by one of its files, or by a program that it installs. */
const debian = (name: string, place: string): Requirement => ({
  isMet: () => (place.startsWith("/") ? existsSync(place) : isOnPath(place)),
  install: `apt-get install --no-install-recommends ${name}`,
});

/** Requirements of specs besides Node.js and the npm packages of this project. */
const REQUIREMENTS = {
  Linux: { isMet: () => process.platform === "linux" },
  buildah: debian("buildah", "buildah"),
  caddy: debian("caddy", "caddy"),
  chdb: {
    isMet: () => existsSync(join(CHDB_PACKAGE, "package.json")),
    install: "node scripts/install-chdb.mjs",
  },
  chromium: debian("chromium-headless-shell", "/usr/lib/chromium"),
  "clickhouse-server": debian("clickhouse-server", "clickhouse-server"),
  curl: debian("curl", "curl"),
  debootstrap: debian("debootstrap", "/usr/sbin/debootstrap"),
  haproxy: debian("haproxy", "haproxy"),
  "nats-server": debian("nats-server", "nats-server"),
  nginx: debian("nginx-light", "nginx"),
  "Node.js 24": { isMet: () => existsSync(nodeIn("24")), install: "node scripts/install-node.mjs 24" },
  postgresql: debian("postgresql", "/usr/lib/postgresql"),
  "python3-googleapi": debian("python3-googleapi", "/usr/lib/python3/dist-packages/googleapiclient"),
  rabbitmq: debian("rabbitmq-server", "/usr/lib/rabbitmq/bin/rabbitmq-server"),
  root: { isMet: () => process.getuid?.() === 0 },
  systemd: debian("systemd", "systemd-analyze"),
  script: debian("bsdutils", "script"),
  zookeeper: debian("zookeeper", "/usr/share/java/zookeeper.jar"),
} satisfies Record<string, Requirement>;

export type Need = keyof typeof REQUIREMENTS;

declare global {
  /** Requirements of this process's spec that are not installed. The runner and the spec load this module twice. */
  var unmetNeeds: Set<Need> | undefined;
}

globalThis.unmetNeeds ??= new Set();
const unmet = globalThis.unmetNeeds;

/**
 * Declares a requirement of all specs that import the calling module, directly or indirectly. If it is not installed,
 * their tests are skipped, and the run's summary shows why.
 */
export function need(...names: Need[]): void {
  for (const name of names) if (!REQUIREMENTS[name].isMet()) unmet.add(name);
}

/** Skips one test if a requirement is not installed. */
export const skipWithout = (name: Need, skip: TestContext["skip"]): void =>
  skip(!REQUIREMENTS[name].isMet(), noteOf([name]));

/**
 * Returns the reason to skip the spec of this process, or undefined if its requirements are installed. The next spec in
 * this process starts without requirements.
 */
export function takeSkipReason(): string | undefined {
  const reason = unmet.size === 0 ? undefined : noteOf(unmet);
  unmet.clear();
  return reason;
}

function noteOf(needs: Iterable<Need>): string {
  const texts = [...needs].sort().map((name) => {
    const { install }: Requirement = REQUIREMENTS[name];
    return install === undefined ? name : `${name} (${install})`;
  });
  return `needs ${texts.join(", ")}`;
}
