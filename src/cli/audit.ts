import type {
  AuditEntryJson,
  FieldChangeJson,
  ListAuditEntriesOptions,
  RegistryClient,
} from "@waybill/client";
import { pause } from "@waybill/client/support";
import { Command, Option } from "commander";
import { parseTime } from "./list/filter.js";
import { clientOf, serverOption, tokenFileOption, tokenOption } from "./support/client-flags.js";
import { failClearly } from "./support/command-failure.js";
import { ndjson, pagesOf } from "./support/page-formats.js";
import { print } from "./support/print.js";
import { PAGE_SIZE, printList, type RegistryFlags } from "./support/registry-flags.js";
import type { Column } from "./support/text-table.js";

/** Pause between reads of the list with `--follow`, in milliseconds. */
const POLL_MS = 1_000;

const EXAMPLE = `
Examples:
  $ waybill audit --project new-shop
  $ waybill audit --method SetIamPolicy --since 2026-11-01T00:00:00Z --json
  $ waybill audit --follow --token-file token.txt | tee audit.ndjson`;

interface AuditFlags extends RegistryFlags {
  readonly project?: string;
  readonly principal?: string;
  readonly method?: string;
  readonly since?: string;
  readonly until?: string;
  readonly follow?: true;
}

const COLUMNS: readonly Column<AuditEntryJson>[] = [
  { title: "time", leastWidth: 24, text: ({ time = "" }) => time },
  { title: "principal", leastWidth: 12, text: ({ principal = "" }) => principal },
  { title: "method", leastWidth: 12, text: ({ method = "" }) => method },
  { title: "resource", leastWidth: 16, text: ({ resource = "" }) => resource },
  { title: "changes", leastWidth: 16, text: ({ changes = [] }) => changes.map(changeText).join("; ") },
  { title: "from", leastWidth: 9, text: ({ remoteAddress = "" }) => remoteAddress },
];

const changeText = ({ field, before, after }: FieldChangeJson): string =>
  `${field} ${before ?? "-"} → ${after ?? "-"}`;

/** `waybill audit`: prints which principal made which change on a running server. */
export function auditCommand(): Command {
  return new Command("audit")
    .description("Print changes of projects, apps, access and configurations, newest first")
    .option("--project <project>", "id or number of a project (default: all projects that you own)")
    .option("--principal <name>", "only changes by this principal")
    .option("--method <name>", "only changes by this method, such as SetIamPolicy")
    .option("--since <time>", "only changes at or after this time, such as 2026-11-14T08:00:00Z", parseTime)
    .addOption(
      new Option("--until <time>", "only changes before this time").argParser(parseTime).conflicts("follow"),
    )
    .option("--json", "print each entry as a JSON object")
    .option("--follow", "print new entries as they arrive, oldest first, each as a JSON object")
    .addOption(serverOption("registry"))
    .addOption(tokenOption())
    .addOption(tokenFileOption())
    .addHelpText("after", EXAMPLE)
    .action(failClearly(audit));
}

async function audit(flags: AuditFlags): Promise<void> {
  const { project = "-", principal, method, since, until, follow } = flags;
  const { registry } = clientOf("registry", flags, "--token, --token-file");
  const request = { project, principal, method, startTime: since, endTime: until, pageSize: PAGE_SIZE };
  if (follow) await print(ndjson(newEntries(registry, request)));
  else
    await printList(
      pagesOf(registry.listAuditEntries(request), (page) => page.auditEntries),
      COLUMNS,
      flags,
    );
}

/**
 * Yields new audit entries as they arrive, oldest first, indefinitely. With a `startTime`, yields the entries since
 * then first.
 */
async function* newEntries(
  registry: RegistryClient,
  request: ListAuditEntriesOptions,
): AsyncGenerator<readonly AuditEntryJson[], void, undefined> {
  let last = request.startTime === undefined ? await newestName(registry, request) : undefined;
  for (;;) {
    const entries = await entriesAfter(last, registry, request);
    last = entries.at(-1)?.name ?? last;
    if (entries.length > 0) yield entries;
    await pause(POLL_MS);
  }
}

async function newestName(
  registry: RegistryClient,
  request: ListAuditEntriesOptions,
): Promise<string | undefined> {
  const { auditEntries: [newest] = [] } = await registry
    .listAuditEntries({ ...request, pageSize: 1 })
    .readPage();
  return newest?.name;
}

/** Reads the entries that follow an entry, oldest first. The API lists the newest entry first. */
async function entriesAfter(
  name: string | undefined,
  registry: RegistryClient,
  request: ListAuditEntriesOptions,
): Promise<readonly AuditEntryJson[]> {
  const entries: AuditEntryJson[] = [];
  for await (const entry of registry.listAuditEntries({ ...request, pageSize: undefined })) {
    if (entry.name === name) break;
    entries.push(entry);
  }
  return entries.reverse();
}
