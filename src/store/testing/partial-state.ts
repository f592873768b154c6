import { at } from "../../model/collections.js";
import { NONE, type StateColumns } from "../state-block.js";

/** A partial message state, for comparison. */
export interface PartialState {
  /** App, day and key. */
  readonly message: string;
  /** The ACCEPTED event, as text that sorts like in the engines. Undefined without one. */
  readonly accepted: string | undefined;
  /** Lowest rank of an outcome and of a proxy result, or `NONE`. */
  readonly outcome: number;
  readonly proxy: number;
  readonly seen: number;
}

const digits = (value: number | undefined): string => String(value).padStart(10, "0");

export const statesOf = (states: StateColumns): readonly PartialState[] =>
  Array.from({ length: states.length }, (_, i) => ({
    message: [
      states.apps[states.app[i] ?? -1],
      states.day[i],
      ...states.keyHigh.subarray(2 * i, 2 * i + 2),
      ...states.keyLow.subarray(2 * i, 2 * i + 2),
    ].join(" "),
    accepted:
      states.acceptedAt[i] === NONE
        ? undefined
        : [digits(states.acceptedAt[i]), states.labels[states.label[i] ?? -1], states.notification[i]].join(
            " ",
          ),
    outcome: at(states.outcome, i),
    proxy: at(states.proxy, i),
    seen: at(states.seen, i),
  }));

/** Merges states by message, as engines do. */
export function mergedStates(states: readonly PartialState[]): ReadonlyMap<string, PartialState> {
  const messages = new Map<string, PartialState>();
  for (const state of states) {
    const other = messages.get(state.message) ?? state;
    messages.set(state.message, {
      message: state.message,
      accepted: [state.accepted, other.accepted].filter((text) => text !== undefined).sort()[0],
      outcome: Math.min(state.outcome, other.outcome),
      proxy: Math.min(state.proxy, other.proxy),
      seen: state.seen | other.seen,
    });
  }
  return messages;
}
