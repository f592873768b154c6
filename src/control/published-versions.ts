import type { Day } from "../model/day.js";

/**
 * Versions of published delivery data. A version of the days of a project up to a last one changes whenever
 * one of these days is published, which lets a cache notice that its answers are out of date.
 */
export interface PublishedVersions {
  /**
   * Records that days of a project were published, or may have been. Once it resolves, no version that
   * includes one of the days is the same as before.
   *
   * @param project project number, in decimal.
   */
  publish(project: string, days: readonly Day[]): Promise<void>;

  /**
   * Returns the version of a project's days up to and including `until`. Versions are comparable only with
   * those of the same project and `until` from the same object.
   *
   * @param project project number, in decimal.
   */
  version(project: string, until: Day): Promise<string>;
}
