import type { AndroidDeliveryData } from "../gen/waybill/messagingdata/v1beta1/delivery_data_pb.js";
import { AppInstance } from "./app-instance.js";
import { EventFeed } from "./event-feed.js";
import { expectedEntries } from "./expected-entries.js";
import { GroundTruth } from "./ground-truth.js";
import { habitAt } from "./habits.js";
import { labelNames, labelWeights } from "./labels.js";
import { type LosAngelesDay, losAngelesDays } from "./los-angeles-days.js";
import { MessageSource } from "./message-source.js";
import { Random } from "./random.js";
import { Reporter } from "./reporter.js";
import { type Slice, timetable } from "./timetable.js";
import { longTail, WeightedChoice } from "./weighted-choice.js";

/** What decides the traffic; the same options give the same bytes. */
export interface SimulationOptions {
  /** The apps, most popular first. */
  readonly apps: readonly string[];
  /** First Los Angeles day, `YYYY-MM-DD`. */
  readonly startDay: string;
  readonly days: number;
  /** How many messages are accepted in all, on devices that opted in or not. */
  readonly messages: number;
  /** How many analytics labels there are, besides none. */
  readonly labels: number;
  readonly seed: number;
}

/** Simulated traffic: its events, to be read once, and afterwards what a correct service must make of them. */
export interface Simulation extends Iterable<string> {
  /** Whole lines of NDJSON, tens of kilobytes at a time, made as they are read. */
  [Symbol.iterator](): Iterator<string>;
  /** How many messages have been accepted so far. */
  readonly accepted: number;
  /** How many messages the platform holds for later just now. */
  readonly waiting: number;
  /**
   * The entries that a service must list for these events: by app, then newest day first, then by label.
   *
   * @throws Error before all events were read
   */
  truth(): Iterable<AndroidDeliveryData>;
}

/** How many devices have each app, however many messages there are: what must be remembered depends on this alone. */
export const DEVICES_PER_APP = 400;

/** Any few neighbours among the multiples of this, less their whole part, are spread evenly. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Simulates a messaging platform, from the first to the last instant of the given days.
 *
 * @throws RangeError if `startDay` is not a date
 */
export function simulateTraffic(options: SimulationOptions): Simulation {
  return new TrafficSimulation(options);
}

class TrafficSimulation implements Simulation {
  accepted = 0;
  readonly #options: SimulationOptions;
  readonly #days: readonly LosAngelesDay[];
  readonly #labels: readonly string[];
  readonly #random: Random;
  readonly #feed: EventFeed;
  readonly #truth: GroundTruth;
  /** Those of one app together, the apps in their order. */
  readonly #instances: readonly AppInstance[];
  #finished = false;

  constructor(options: SimulationOptions) {
    this.#options = options;
    this.#days = losAngelesDays(options.startDay, options.days);
    this.#labels = labelNames(options.labels);
    this.#random = new Random(options.seed);
    this.#feed = new EventFeed(this.#random);
    this.#truth = new GroundTruth(options.days, this.#labels.length);
    const reporter = new Reporter(this.#feed, this.#truth, this.#labels, this.#days.at(-1)?.end ?? 0);
    this.#instances = options.apps.flatMap(() =>
      population(this.#days[0]?.start ?? 0, this.#random, reporter),
    );
  }

  get waiting(): number {
    return this.#instances.reduce((sum, instance) => sum + instance.waiting.size, 0);
  }

  *[Symbol.iterator](): Generator<string> {
    const { apps, labels, messages } = this.#options;
    const source = new MessageSource(apps, labelWeights(labels), this.#random);
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
        if (this.#feed.full) yield this.#feed.take();
      }
      for (const instance of this.#instances) {
        if (instance.waiting.size > 0) instance.passTime(slice.end);
        if (this.#feed.full) yield this.#feed.take();
      }
    }
    yield this.#feed.take();
    this.#finished = true;
  }

  truth(): Iterable<AndroidDeliveryData> {
    if (!this.#finished) throw new Error("the truth is known when all events have been read");
    return expectedEntries(this.#truth, this.#options.apps, this.#days, this.#labels);
  }
}

/** The devices of one app. Even the few that get most messages have every habit among them. */
function population(now: number, random: Random, reporter: Reporter): AppInstance[] {
  const first = random.fraction();
  return Array.from({ length: DEVICES_PER_APP }, (_, index) => {
    const habit = habitAt((first + index * GOLDEN_RATIO) % 1);
    return new AppInstance(habit, now, random, reporter);
  });
}

/** When the messages of a slice are accepted: in order, about evenly. */
function* instants(slice: Slice, random: Random): Generator<number> {
  const step = (slice.end - slice.start) / slice.messages;
  for (let index = 0; index < slice.messages; index++) {
    yield slice.start + Math.floor((index + random.fraction()) * step);
  }
}
