/** A metric of a scrape. */
export interface Served {
  /** `counter`, `gauge` or `histogram`. */
  readonly type: string;
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
  /** The names of the labels of all samples, in the order of the first one that has each. */
  readonly labels: ReadonlySet<string>;
}

/** Reads the metrics of a scrape by their names, also those without samples; histograms with those of their parts. */
export function servedMetrics(text: string): ReadonlyMap<string, Served> {
  const metrics = new Map<string, Served>();
  // The samples of a metric follow its type.
  for (const block of text.split(/^# TYPE /m).slice(1)) {
    const [head = "", ...lines] = block.split("\n");
    const [name = "", type = ""] = head.split(" ");
    const samples = lines.flatMap((line) => {
      const [, inner, value] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (value === undefined) return [];
      const pairs = (inner ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
      return [
        {
          labels: Object.fromEntries([...pairs].map(([, label, text]) => [label, text])),
          value: Number(value),
        },
      ];
    });
    metrics.set(name, {
      type,
      samples,
      labels: new Set(samples.flatMap(({ labels }) => Object.keys(labels))),
    });
  }
  return metrics;
}
