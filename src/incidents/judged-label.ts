import type { Day } from "../model/day.js";
import type { DailyCounts } from "./daily-counts.js";
import type { Incident } from "./incident.js";
import { JudgedPart, type Shared } from "./judged-part.js";
import { LabelHistory } from "./label-history.js";
import type { SeriesTable } from "./series-table.js";
import type { WholeApp } from "./whole-app.js";

/** A day of an app that is judged. */
export interface AppDay {
  readonly day: Day;
  readonly weekday: number;
  /** Sums of scores at which an alarm is raised for a label, by outcome. */
  readonly levels: Float64Array;
  /** The shift that the labels share on the day. */
  readonly shared: Shared;
  /** Number of labels that are judged. */
  readonly judged: number;
}

/** A label that is judged day by day. */
export class JudgedLabel {
  readonly history: LabelHistory;
  readonly part: JudgedPart;

  /**
   * @param counts At least `START_DAYS` days.
   * @param table Receives the series of the label.
   * @param found Receives incidents as they end.
   */
  constructor(label: string | undefined, counts: DailyCounts, table: SeriesTable, found: Incident[]) {
    this.history = new LabelHistory(counts, table);
    this.part = new JudgedPart(label, this.history, found);
  }

  /** Begins a day, if the label has messages then, and shows it to the whole app. */
  begin(day: Day, weekday: number, whole: WholeApp): void {
    const { history, part } = this;
    if (!history.has(day)) return;
    part.passTo(day);
    history.begin(weekday);
    whole.add(history);
  }

  /** Judges and learns the day that has begun, if the label has messages then. */
  end({ day, weekday, levels, shared, judged }: AppDay): void {
    const { history, part } = this;
    if (!history.has(day)) return;
    history.score(shared.shifts);
    const isMarked = part.judge(day, levels, judged, shared);
    if (shared.isOut || isMarked) history.setAside();
    else history.learn(weekday, levels);
    history.next();
  }
}
