import type { AuditEntryJson, ListAuditEntriesOptions, RegistryClient } from "@waybill/client";
import { pause } from "@waybill/client/support";

const POLL_MS = 1_000;

/**
 * Yields new audit entries as they arrive, oldest first, indefinitely. With a `startTime`, yields the entries since
 * then first.
 *
 * @param pollMs pause between reads of the list, in milliseconds.
 */
export async function* newEntries(
  registry: Pick<RegistryClient, "listAuditEntries">,
  request: ListAuditEntriesOptions,
  pollMs = POLL_MS,
): AsyncGenerator<readonly AuditEntryJson[], void, undefined> {
  let last = request.startTime === undefined ? await newestName(registry, request) : undefined;
  for (;;) {
    const entries = await entriesAfter(last, registry, request);
    last = entries.at(-1)?.name ?? last;
    if (entries.length > 0) yield entries;
    await pause(pollMs, request.signal);
  }
}

async function newestName(
  registry: Pick<RegistryClient, "listAuditEntries">,
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
  registry: Pick<RegistryClient, "listAuditEntries">,
  request: ListAuditEntriesOptions,
): Promise<readonly AuditEntryJson[]> {
  const entries: AuditEntryJson[] = [];
  for await (const entry of registry.listAuditEntries({ ...request, pageSize: undefined })) {
    if (entry.name === name) break;
    entries.push(entry);
  }
  return entries.reverse();
}
