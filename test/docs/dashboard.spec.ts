import { readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { startOfDay } from "../../src/model/day.js";
import { accepted, listOf } from "../support/data/delivery-data.js";
import { entriesOnceThey, importBatch, ndjson } from "../support/data/import.js";
import { send } from "../support/http/exchange.js";
import { codeBlocks } from "../support/markdown.js";
import { packagePath } from "../support/package-path.js";
import { poll } from "../support/poll.js";
import { type NamedMetric, namedMetrics } from "../support/promql.js";
import { it, test } from "../support/servers/process-fixtures.js";
import { EDITOR, PROJECT } from "../support/servers/project.js";
import { type Served, servedMetrics } from "../support/servers/served-metrics.js";
import { TODAY } from "../support/today.js";

const FOLDER = "examples/grafana";
const read = (file: string): string => readFileSync(packagePath(file), "utf8");

/** Labels that Prometheus adds to the samples of each scrape. */
const ADDED_LABELS = ["instance", "job"];
const ADDED_METRICS = ["up"];

const gridPos = z.object({ x: z.int(), y: z.int(), w: z.int().positive(), h: z.int().positive() });
// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's syntax for a variable.
const source = z.object({ type: z.literal("prometheus"), uid: z.literal("${datasource}") });
const target = z.object({
  refId: z.string(),
  datasource: source,
  expr: z.string(),
  legendFormat: z.string(),
});
const panel = z.discriminatedUnion("type", [
  z.object({ id: z.int(), type: z.literal("row"), title: z.string(), gridPos }),
  z.object({
    id: z.int(),
    type: z.enum(["stat", "table", "timeseries"]),
    title: z.string(),
    gridPos,
    datasource: source,
    fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
    targets: z.array(target).min(1),
  }),
]);
const variable = z.discriminatedUnion("type", [
  z.object({ type: z.literal("datasource"), name: z.literal("datasource"), query: z.literal("prometheus") }),
  z.object({
    type: z.literal("query"),
    name: z.string(),
    datasource: source,
    query: z.object({ query: z.string() }),
  }),
]);
const dashboard = z
  .object({
    title: z.string(),
    uid: z.string(),
    schemaVersion: z.int(),
    templating: z.object({ list: z.array(variable) }),
    panels: z.array(panel),
  })
  .parse(JSON.parse(read(`${FOLDER}/provisioning/dashboards/waybill.json`)));
const variables = dashboard.templating.list;

interface Rules {
  readonly groups?: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}

/** Inline code that contains a Waybill metric and more. */
const queriesInProse = (markdown: string): (readonly [string, string])[] =>
  [...markdown.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]*\bwaybill_[^`\n]*)`/g)]
    .map(([, span = ""]) => span)
    .filter((span) => /[^\w]/.test(span))
    .map((span) => [`docs/operate/monitoring.md, ${span}`, span]);

/** All queries of the examples and the documentation, by location. */
const QUERIES: readonly (readonly [where: string, query: string])[] = [
  ...dashboard.panels.flatMap((panel) =>
    panel.type === "row"
      ? []
      : panel.targets.map(({ refId, expr }) => [`${panel.title}, ${refId}`, expr] as const),
  ),
  ...variables.flatMap((variable) => {
    if (variable.type !== "query") return [];
    const [, selector = ""] = /^label_values\((.*), \w+\)$/.exec(variable.query.query) ?? [];
    return [[`variable ${variable.name}`, selector] as const];
  }),
  ...rulesOf(read(`${FOLDER}/alerts.yaml`)),
  ...codeBlocks(read("docs/operate/monitoring.md"))
    .filter(({ language }) => language === "yaml")
    .flatMap(({ text }) => rulesOf(text)),
  ...codeBlocks(read("docs/operate/monitoring.md"))
    .filter(({ language }) => language === "promql")
    .map(({ text }) => ["docs/operate/monitoring.md", text] as const),
  ...queriesInProse(read("docs/operate/monitoring.md")),
];

function rulesOf(yaml: string): (readonly [string, string])[] {
  const { groups = [] } = parse(yaml) as Rules;
  return groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const));
}

/** A query as Grafana sends it. */
const sent = (query: string): string => query.replaceAll("$__rate_interval", "1m");

describe("the Grafana dashboard", () => {
  it("uses only its own variables", () => {
    const known = ["__rate_interval", ...variables.map(({ name }) => name)];
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name]) => name);
    expect(used.filter((name) => !known.includes(name ?? ""))).toEqual([]);
  });

  it("has panels with unique ids, side by side on the grid", () => {
    const { panels } = dashboard;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(panels.filter(({ gridPos: { x, w } }) => x < 0 || x + w > 24)).toEqual([]);
  });
});

describe("the provisioning files of Grafana", () => {
  it("let Grafana load the dashboard, and connect it to the Prometheus that scrapes the server", () => {
    const { datasources } = parse(read(`${FOLDER}/provisioning/datasources/prometheus.yaml`));
    expect(datasources).toMatchObject([{ type: "prometheus", isDefault: true }]);
    const { providers } = parse(read(`${FOLDER}/provisioning/dashboards/waybill.yaml`));
    expect(providers[0].options.path).toBe("$GF_PATHS_PROVISIONING/dashboards");
    const { rule_files, scrape_configs } = parse(read(`${FOLDER}/prometheus.yaml`));
    expect(rule_files).toEqual(["alerts.yaml"]);
    expect(scrape_configs).toMatchObject([{ static_configs: [{ targets: ["127.0.0.1:9090"] }] }]);
  });
});

describe("queries in the dashboard, alerts and documentation", () => {
  it("are found in the examples and the docs", () => {
    expect(QUERIES.length).toBeGreaterThan(40);
    expect(QUERIES.filter(([, query]) => query === "")).toEqual([]);
  });

  it("are checked for the names of metrics and labels", () => {
    const served = servedMetrics('# TYPE a gauge\na{x="1"} 2\n# TYPE h histogram\nh_bucket{le="1"} 1\n');
    const problems = (query: string) =>
      namedMetrics(query).flatMap((named) => problemsOf(named, served, new Map()));
    expect(problems('max by (x, job) (a{instance="i"}) > sum by (le) (h_bucket)')).toEqual([]);
    expect(problems("max by (y) (a)")).toEqual(["a has no label y"]);
    expect(problems('a{x="1"} / on (x) h_count')).toEqual(["h_count has no label x"]);
    expect(problems("a unless b or h")).toEqual(["no metric b", "no metric h"]);
    expect(() => problems("max(a")).toThrow("syntax error");
    expect(() => problems('{x="1"}')).toThrow("no metric");
  });

  test("use only metrics and labels that a server exports", async ({ startServer }) => {
    const yesterday = TODAY - 1;
    const noon = new Date(startOfDay(yesterday) + 43_200_000).toISOString();
    const before = await startServer();
    const editor = await before.token(EDITOR);
    const events = [accepted("few", noon), accepted("many", noon, "a"), accepted("many", noon, "b")];
    const delivered = { ...events[0], eventType: "DELIVERED" };
    await importBatch(before, editor, ndjson([...events, delivered]));
    await entriesOnceThey(before, editor, "many", ({ length }) => length === 2);
    await before.stop();
    // Reads the last day of all projects when it starts.
    const server = await startServer();
    await send(server.messagingDataUrl, listOf("many"), { token: editor });
    await importBatch(server, editor, ndjson(events));
    const served = await poll(
      async () => servedMetrics((await send(server.adminUrl, "/metrics")).text),
      (metrics) => samplesOf(metrics, "waybill_last_day_timestamp_seconds").length === 1,
    );

    const project = PROJECT.number;
    expect(samplesOf(served, "waybill_last_day_timestamp_seconds")).toEqual([
      // A project that has never had entries has no series.
      [{ project }, startOfDay(yesterday) / 1000],
    ]);
    for (const [metric, many, few] of [
      ["waybill_last_day_accepted_messages", 2, 1],
      ["waybill_last_day_delivered_messages", 0, 1],
    ] as const) {
      expect(samplesOf(served, metric)).toEqual([
        [{ project, app: "many" }, many],
        [{ project, app: "few" }, few],
        [{ project, app: "" }, 0],
      ]);
    }

    const documented = documentedLabels();
    const differing = [...served].filter(
      ([name, { samples, labels }]) =>
        name.startsWith("waybill_") &&
        samples.length > 0 &&
        [...labels].filter((label) => label !== "le").join() !== documented.get(name)?.join(),
    );
    expect(differing.map(([name]) => name)).toEqual([]);
    const unknown = QUERIES.flatMap(([where, query]) =>
      namedMetrics(sent(query)).flatMap((named) =>
        problemsOf(named, served, documented).map((what) => `${where}: ${what}`),
      ),
    );
    expect(unknown).toEqual([]);
  });
});

const samplesOf = (served: ReadonlyMap<string, Served>, metric: string) =>
  (served.get(metric)?.samples ?? []).map(({ labels, value }) => [labels, value]);

/** Each metric's labels in the documented table, in its order. */
function documentedLabels(): ReadonlyMap<string, readonly string[]> {
  const rows = read("docs/reference/metrics.md").matchAll(/^\| (`waybill_.*?) \| (\w+) \| (.*?) ?\|/gm);
  return new Map(
    [...rows].flatMap(([, names = "", , labels = ""]) =>
      wordsIn(names).map((name) => [name, wordsIn(labels)] as const),
    ),
  );
}

const wordsIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word);

/** Problems of a metric as a query names it. */
function problemsOf(
  { metric, labels }: NamedMetric,
  served: ReadonlyMap<string, Served>,
  documented: ReadonlyMap<string, readonly string[]>,
): string[] {
  if (ADDED_METRICS.includes(metric)) return [];
  const family = served.has(metric) ? metric : metric.replace(/_(bucket|sum|count)$/, "");
  const found = served.get(family);
  const isPart = family !== metric;
  if (found === undefined || (found.type === "histogram") !== isPart) return [`no metric ${metric}`];
  const known = [
    ...ADDED_LABELS,
    ...(documented.get(family) ?? found.labels),
    ...(metric.endsWith("_bucket") ? ["le"] : []),
  ];
  return labels.filter((label) => !known.includes(label)).map((label) => `${metric} has no label ${label}`);
}
