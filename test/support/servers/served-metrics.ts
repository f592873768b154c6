export interface Served {
  /** `counter`, `gauge` or `histogram`. */
  readonly type: string;
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
  /** Label names of all samples, in order of first occurrence. */
  readonly labels: ReadonlySet<string>;
}

/** Reads a scrape's metrics by name, including metrics without samples. A histogram includes its parts. */
export function servedMetrics(text: string): ReadonlyMap<string, Served> {
  const metrics = new Map<string, Served>();
  // A metric's samples follow its type.
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
