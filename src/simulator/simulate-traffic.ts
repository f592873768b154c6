import type { AndroidDeliveryData } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { at } from "../model/collections.js";
import { AppInstance } from "./app-instance.js";
import { type Fault, Faults } from "./faults.js";
import { expectedEntries, GroundTruth } from "./ground-truth.js";
import { habitAt, type Slice, timetable } from "./habits.js";
import { type LosAngelesDay, losAngelesDays } from "./los-angeles-time.js";
import { labelNames, labelWeights, MessageSource } from "./message-source.js";
import { longTail, Random, WeightedChoice } from "./random.js";
import { EventFeed, Reporter } from "./reporter.js";

/** Parameters of the traffic. The same options produce the same bytes. */
export interface SimulationOptions {
  /** App ids, most popular first. */
  readonly apps: readonly string[];
  /** First Los Angeles day, `YYYY-MM-DD`. */
  readonly startDay: string;
  readonly days: number;
  /** Total number of accepted messages, on devices with and without opt-in. */
  readonly messages: number;
  /** Number of analytics labels, in addition to no label. */
  readonly labels: number;
  readonly seed: number;
  /** Simulated outages. Their messages are dropped as if the devices were inactive. */
  readonly faults?: readonly Fault[];
}

/**
 * Simulated traffic: its events, which can be read once, and then the delivery data that a correct service
 * computes.
 */
export interface Simulation extends Iterable<string> {
  /** Yields whole lines of NDJSON in chunks of tens of kilobytes, generated as they are read. */
  [Symbol.iterator](): Iterator<string>;
  /** Number of messages accepted up to now. */
  readonly accepted: number;
  /** Number of messages that wait on the platform now. */
  readonly waiting: number;
  /**
   * Returns the entries that a service must list for these events: by app, then newest day first, then by label.
   *
   * @throws Error before all events were read.
   */
  truth(): Iterable<AndroidDeliveryData>;
}

/** Number of devices per app. The simulation's memory depends only on this number, not on the number of messages. */
export const DEVICES_PER_APP = 400;

/** Consecutive multiples of this number have evenly distributed fractional parts. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Simulates a messaging platform for whole days.
 *
 * @throws RangeError if `startDay` is not a date, or an outage has an unknown label.
 */
export function simulateTraffic(options: SimulationOptions): Simulation {
  return new TrafficSimulation(options);
}

class TrafficSimulation implements Simulation {
  accepted = 0;
  readonly #options: SimulationOptions;
  readonly #days: readonly LosAngelesDay[];
  readonly #labels: readonly string[];
  readonly #faults: Faults;
  readonly #random: Random;
  readonly #feed: EventFeed;
  readonly #truth: GroundTruth;
  /** App instances, grouped by app. */
  readonly #instances: readonly AppInstance[];
  #finished = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#days = losAngelesDays(options.startDay, options.days);
    this.#labels = labelNames(options.labels);
    this.#faults = new Faults(options.faults ?? [], this.#days, this.#labels);
    this.#random = new Random(options.seed);
    this.#feed = new EventFeed(this.#random);
    this.#truth = new GroundTruth(options.days, this.#labels.length);
    const reporter = new Reporter(
      this.#feed,
      this.#truth,
      this.#labels,
      at(this.#days, this.#days.length - 1).end,
    );
    this.#instances = options.apps.flatMap(() => population(at(this.#days, 0).start, this.#random, reporter));
  }

  get waiting(): number {
    return this.#instances.reduce((sum, instance) => sum + instance.waiting.size, 0);
  }

  *[Symbol.iterator](): Generator<string> {
    const { apps, labels, messages } = this.#options;
    const source = new MessageSource(apps, labelWeights(labels), this.#faults, this.#random);
    const appChoice = new WeightedChoice(longTail(apps.length, 0.5));
    const deviceChoice = new WeightedChoice(longTail(DEVICES_PER_APP, 1));
    for (const slice of timetable(this.#days, messages)) {
      const dayEnd = this.#days[slice.day]?.end ?? slice.end;
      for (const at of instants(slice, this.#random)) {
        const app = appChoice.next(this.#random);
        const instance = this.#instances[app * DEVICES_PER_APP + deviceChoice.next(this.#random)];
        instance?.accept(
          source.next({ app, day: slice.day, dayEnd, acceptedAt: at, optedIn: instance.optedIn }),
        );
        this.accepted++;
        if (this.#feed.isFull) yield this.#feed.take();
      }
      for (const instance of this.#instances) {
        if (instance.waiting.size > 0) instance.passTime(slice.end);
        if (this.#feed.isFull) yield this.#feed.take();
      }
    }
    yield this.#feed.take();
    this.#finished = true;
  }

  truth(): Iterable<AndroidDeliveryData> {
    if (!this.#finished) throw new Error("the expected data is complete only after all events were read");
    return expectedEntries(this.#truth, this.#options.apps, this.#days, this.#labels);
  }
}

/** Generates an app's devices. Even its few busiest devices have all habits. */
function population(now: number, random: Random, reporter: Reporter): AppInstance[] {
  const first = random.fraction();
  return Array.from({ length: DEVICES_PER_APP }, (_, index) => {
    const habit = habitAt((first + index * GOLDEN_RATIO) % 1);
    return new AppInstance(habit, now, random, reporter);
  });
}

/** Yields the acceptance times of a slice's messages, in order and roughly evenly spaced. */
function* instants(slice: Slice, random: Random): Generator<number> {
  const step = (slice.end - slice.start) / slice.messages;
  for (let index = 0; index < slice.messages; index++) {
    yield slice.start + Math.floor((index + random.fraction()) * step);
  }
}

/**
 * Returns `count` Android app ids of the project with the number 123456789012. The first is always the same
 * well-known id.
 */
export function appIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const suffix = (0x0a1b2c3d4e5f + index * 0x010101010101) % 2 ** 48;
    return `1:123456789012:android:${suffix.toString(16).padStart(12, "0")}`;
  });
}
