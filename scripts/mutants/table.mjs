/**
 * Deliberate faults: `[file, code, wrong code, specs]`. The code stands exactly once in the file. The specs, by default those
 * of the file's folder, must fail with the wrong code in its place. They are files or folders below `src`.
 */
const STORE = "store/duckdb/duckdb-store.spec.ts";
const WRITER = "store/duckdb/write";

export const MUTANTS = [
  // Rollup: what became of a message.
  ["store/duckdb/sql/fates.sql", "min(((rank >> 5)::BIGINT", "max(((rank >> 5)::BIGINT", STORE],
  [
    "store/duckdb/sql/fates.sql",
    "min(rank) FILTER ((1::UINTEGER << (rank & 31)) & {OUTCOMES}",
    "max(rank) FILTER ((1::UINTEGER << (rank & 31)) & {OUTCOMES}",
    STORE,
  ],
  ["store/duckdb/sql/fates.sql", "(1::UINTEGER << (rank & 31)) & {OUTCOMES} <> 0", "rank & 31 > 1", STORE],
  [
    "store/duckdb/sql/fates.sql",
    "min(rank) FILTER ((1::UINTEGER << (rank & 31)) & {PROXY_RESULTS}",
    "max(rank) FILTER ((1::UINTEGER << (rank & 31)) & {PROXY_RESULTS}",
    STORE,
  ],
  [
    "store/duckdb/sql/fates.sql",
    "(1::UINTEGER << (rank & 31)) & {PROXY_RESULTS} <> 0",
    "rank & 31 > 13",
    STORE,
  ],
  ["store/duckdb/sql/fates.sql", "(label_rank << 1)", "(0 << 1)", STORE],
  ["store/duckdb/sql/fates.sql", "AND key_low & $mask = $part", "", STORE],
  ["store/duckdb/sql/fates.sql", "CASE WHEN accepted & 1 = 1 THEN proxy & 31 END", "proxy & 31", STORE],
  ["store/duckdb/sql/rollup.sql", "seen & {DISCONNECTED} <> 0", "saw(seen, {STORED})", STORE],
  ["store/duckdb/sql/rollup.sql", "outcome IS NULL AND seen", "seen", STORE],
  ["store/duckdb/sql/rollup.sql", "total(messages, notification) AS", "total(messages, true) AS", STORE],
  ["store/duckdb/sql/rollup.sql", "seen & {DELAYS} = 0", "NOT saw(seen, {DELAYED_DEVICE_DOZE})", STORE],
  [
    "store/duckdb/event-type-words.ts",
    "case EventKind.OUTCOME:\n      return `outcome =",
    "case EventKind.OUTCOME:\n      return `outcome <=",
    STORE,
  ],
  ["store/duckdb/event-type-words.ts", " AND saw(seen", " OR saw(seen", STORE],
  ["store/duckdb/event-type-words.ts", "return `saw(seen", "return `outcome = 2 AND saw(seen", STORE],
  ["store/duckdb/event-type-words.ts", "`proxy =", "`proxy <=", STORE],
  // Reading.
  ["store/duckdb/sql/entries.sql", "label > $after_label", "label >= $after_label", STORE],
  ["store/duckdb/sql/entries.sql", "AND day <= $until", "", STORE],
  ["store/duckdb/sql/entries.sql", "ORDER BY day DESC, label", "ORDER BY day, label", STORE],
  ["store/duckdb/sql/entries-of-all-apps.sql", "name > $after_app OR", "name >= $after_app OR", STORE],
  ["store/duckdb/sql/entries-of-all-apps.sql", "entries_before < $limit", "entries_before < 1", STORE],
  [
    "store/duckdb/sql/entries-of-all-apps.sql",
    "ORDER BY day DESC, name, label",
    "ORDER BY day DESC, label, name",
    STORE,
  ],
  ["store/duckdb/sql/apps.sql", "WHERE name > $after", "WHERE name >= $after", STORE],
  ["store/duckdb/sql/apps.sql", "min(day) AS first_day", "max(day) AS first_day", STORE],
  ["store/duckdb/sql/sums.sql", "HAVING count(*) > 0", "", STORE],
  // Writing.
  ["store/duckdb/write/event-writer.ts", "        this.#labels.reset();", "", "store"],
  ["store/duckdb/write/event-writer.ts", "        this.#apps.reset();", "", "store"],
  ["store/duckdb/write/event-writer.ts", "      appender.clear();", "", WRITER],
  ["store/duckdb/write/event-writer.ts", "Int32Array.of(0, ...named)", "Int32Array.of(...named)", STORE],
  [
    "store/duckdb/write/day-rollup.ts",
    "DELETE FROM entries WHERE",
    "DELETE FROM entries WHERE false AND",
    STORE,
  ],
  [
    "store/duckdb/write/day-rollup.ts",
    "DELETE FROM stale_days WHERE",
    "DELETE FROM stale_days WHERE false AND",
    STORE,
  ],
  ["store/duckdb/write/day-rollup.ts", 'await connection.run("DELETE FROM fates");', "", STORE],
  ["store/duckdb/write/day-rollup.ts", "part < passes", "part < 1", STORE],
  ["store/duckdb/write/dictionary.ts", "++this.#last", "this.#last", STORE],
  ["store/duckdb/transaction.ts", 'await connection.run("ROLLBACK")', "await Promise.resolve()", "store"],
  [
    "store/duckdb/engine-failure.ts",
    "FATAL Error|database has been invalidated|",
    "",
    "store/reopening-store.spec.ts",
  ],
  // When to roll up.
  ["messaging-data/rollup/resting-days.ts", "const MAX_REST = 10_000", "const MAX_REST = 0"],
  ["messaging-data/rollup/resting-days.ts", "Math.min(REST_FACTOR * took, MAX_REST)", "REST_FACTOR * took"],
  ["messaging-data/rollup/resting-days.ts", "Math.min(2 * retry, MAX_RETRY)", "2 * retry"],
  ["messaging-data/rollup/turns.ts", "record.last = ++this.#count", "record.last = 0"],
  ["messaging-data/rollup/turns.ts", "Math.ceil(days / 2)", "days"],
  ["messaging-data/rollup/rollup-scheduler.ts", "this.#failuresInARow++;", ""],
  ["messaging-data/rollup/rollup-scheduler.ts", "before = stale.at(-1);", "return { days: [], restUntil };"],
  // Events.
  ["messaging-data/events/accepted-days.ts", "startOfDay(last + 1)", "startOfDay(last)"],
  ["model/analytics-label.ts", "MAX_LABEL_LENGTH = 50", "MAX_LABEL_LENGTH = 51"],
  ["model/app-id.ts", "[...text].length", "text.length"],
  // Pages.
  ["paging/page-of.ts", "read.length > size", "read.length >= size"],
  ["paging/page-size.ts", "pageSize === 0 ? ofDefault", "pageSize === 0 ? most"],
  ["paging/page-size.ts", "Math.min(pageSize, most)", "pageSize"],
  ["paging/page-size.ts", "pageSize < 0", "pageSize < -1"],
  // Who may do what.
  [
    "auth/access-control.ts",
    "found === undefined || this.#roleOn(found, principal) < role",
    "found === undefined",
  ],
  ["auth/access-control.ts", "principalId(issuer, principal)", "principal"],
  ["auth/access-control.ts", ">= role);", "> role);"],
  ["auth/call-authorizer.ts", "rateLimiter?.take(principal.id);", ""],
  ["auth/call-authorizer.ts", "anyScope.some(", "anyScope.every("],
  ["auth/tokens/authenticator.ts", "this.#clock.wall() >= verified.expiresAt", "false"],
  ["auth/tokens/authenticator.ts", 'if (isBoundToKey(payload)) throw tokenInvalid("KEY_BOUND");', ""],
  [
    "auth/tokens/authenticator.ts",
    'if (!isAccessTokenType(protectedHeader.typ)) throw tokenInvalid("TYPE_NOT_ACCEPTED");',
    "",
  ],
  ["auth/tokens/authenticator.ts", "audience: issuer.audience,", ""],
  ["auth/tokens/authenticator.ts", 'requiredClaims: ["exp"],', ""],
  ["auth/tokens/authenticator.ts", 'if (!hasCanonicalSignature(token)) throw tokenInvalid("MALFORMED");', ""],
  [
    "auth/rate-limiter.ts",
    "Math.min(this.#requestsPerMinute, bucket.level + refill)",
    "bucket.level + refill",
  ],
  ["auth/rate-limiter.ts", "bucket.level < 1", "bucket.level < 0"],
  // HTTP and transcoding.
  ["http/query.ts", 'mark < 0 ? "" :', 'mark < 0 ? "x" :', "transcoding/binding"],
  ["http/percent-decoding.ts", 'raw.replaceAll("+", " ")', "raw"],
  ["http/percent-decoding.ts", '"%25"', '"%2F"'],
  ["http/answers/accept-encoding.ts", "weight > 0 &&", ""],
  ["http/answers/accept-encoding.ts", 'weights.get("*") ?? 0', "0"],
  ["api/preconditions.ts", 'comparison === "strong" && tag.weak', "false"],
  ["api/preconditions.ts", 'header.trim() === "*"', "false"],
  ["api/preconditions.ts", "|| opaque.replace", "&& opaque.replace"],
  // gRPC.
  ["rpc/errors/grpc-status.ts", "\\x20-\\x24\\x26-\\x7e", "\\x20-\\x7e"],
  ["rpc/resource-captures.ts", 'part !== "" && ', ""],
  ["rpc/resource-captures.ts", "segment.text === part", "true"],
  ["rpc/open/open-streams.ts", "      ofAddress?.();\n      throw", "      throw"],
  ["rpc/rpc-handler.ts", "openStreams.hasRoom(socket)) return false;", "true) return false;", "rpc/open"],
  // Bounds.
  ["limits/budget.ts", "this.heldBy(caller) + amount <= each &&", ""],
  ["limits/budget.ts", "if (released) return;", ""],
  ["limits/fair-queue.ts", "if (items.length > 0) this.#waiting.set(caller, items);", ""],
  ["limits/fair-turns.ts", 'signal.removeEventListener("abort", leave);', ""],
  ["limits/unread-bytes.ts", "if (shared.answers > 0) return;", ""],
];
