import { type Context, ROOT_CONTEXT } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";

/**
 * Contexts that follow asynchronous work. Before version 24, Node.js tracks all asynchronous work as soon as it tracks
 * any. Therefore, nothing is tracked while no context is in use.
 */
export class SpanContexts {
  readonly #storage = new AsyncLocalStorageContextManager();
  readonly #used = new Set<Context>();

  /** Returns the current context. */
  active(): Context {
    return this.#used.size === 0 ? ROOT_CONTEXT : this.#storage.active();
  }

  /** Does work in a context, which is in use until {@link end}. */
  begin<T>(context: Context, work: () => T): T {
    this.#used.add(context);
    return this.#storage.with(context, work);
  }

  /** Does work outside of any context. A call can begin in an earlier call's context, on the same connection. */
  beginOutside<T>(work: () => T): T {
    return this.active() === ROOT_CONTEXT ? work() : this.#storage.with(ROOT_CONTEXT, work);
  }

  /** Records that a context's work has ended. */
  end(context: Context): void {
    if (this.#used.delete(context) && this.#used.size === 0) this.#storage.disable();
  }
}
