import { type Context, TraceFlags } from "@opentelemetry/api";
import { ExportResultCode, getNumberFromEnv } from "@opentelemetry/core";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";

/** Reasons for which spans are dropped: the queue is full, or the export has failed. */
export type DropReason = "queue" | "export";

/** Maximum number of spans that wait for an export, by default. */
const MAX_QUEUE = 2_048;

/** Exports spans in batches. A limited number of spans waits. Further spans are dropped, and counted. */
export class CountedSpans implements SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  readonly #maxQueue = getNumberFromEnv("OTEL_BSP_MAX_QUEUE_SIZE") ?? MAX_QUEUE;
  readonly #onDropped: (spans: number, reason: DropReason) => void;
  #waiting = 0;

  constructor(exporter: SpanExporter, onDropped: (spans: number, reason: DropReason) => void) {
    this.#onDropped = onDropped;
    this.#batches = new BatchSpanProcessor(
      {
        export: (spans, done) => {
          this.#waiting -= spans.length;
          exporter.export(spans, (result) => {
            if (result.code !== ExportResultCode.SUCCESS) onDropped(spans.length, "export");
            done(result);
          });
        },
        shutdown: () => exporter.shutdown(),
      },
      { maxQueueSize: this.#maxQueue },
    );
  }

  onStart(span: Span, parent: Context): void {
    this.#batches.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    if (this.#waiting >= this.#maxQueue) {
      this.#onDropped(1, "queue");
      return;
    }
    this.#waiting++;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }
}
