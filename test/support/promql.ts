import { parser } from "@prometheus-io/lezer-promql";

/** A metric that a query names, and the labels by which it selects or groups. */
export interface NamedMetric {
  readonly metric: string;
  readonly labels: readonly string[];
}

/**
 * Reads a PromQL query's metrics. Labels in groupings and matchings count for all metrics to which they apply.
 *
 * @throws Error if the query cannot be parsed, or selects series without naming their metric.
 */
export function namedMetrics(query: string): NamedMetric[] {
  const open: { readonly labels: string[]; readonly metrics: { metric: string; labels: string[] }[] }[] = [
    { labels: [], metrics: [] },
  ];
  parser.parse(query).iterate({
    enter({ name, type, from, to }) {
      const text = query.slice(from, to);
      if (type.isError) throw new Error(`syntax error at ${from} of ${query}`);
      const scope = open.at(-1);
      if (name === "AggregateExpr" || name === "BinaryExpr" || name === "VectorSelector") {
        open.push({ labels: [], metrics: [] });
      } else if (name === "Identifier") scope?.metrics.push({ metric: text, labels: [] });
      else if (name === "LabelName") scope?.labels.push(text);
    },
    leave({ name, from }) {
      if (name !== "AggregateExpr" && name !== "BinaryExpr" && name !== "VectorSelector") return;
      const { labels = [], metrics = [] } = open.pop() ?? {};
      if (metrics.length === 0 && name === "VectorSelector")
        throw new Error(`no metric at ${from} of ${query}`);
      for (const { metric, labels: own } of metrics) {
        open.at(-1)?.metrics.push({ metric, labels: [...own, ...labels] });
      }
    },
  });
  return open.flatMap(({ metrics }) => metrics);
}
