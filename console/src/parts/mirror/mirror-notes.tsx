import type { ReactNode } from "react";
import { useExcludedEntries, useMirrorGaps } from "#console/api/queries.js";
import { blockingError } from "#console/api/read-state.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { useServerTime } from "#console/api/services.js";
import { formatInstant, longDay } from "#console/model/days/format-day.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { dayOf } from "#src/model/day.js";
import { gapSentences } from "#src/presentation/gap-sentences.js";
import styles from "./mirror-notes.module.css";

const FORMATS = { day: longDay, time: formatInstant, count: formatCount };

/** Says what is missing in the mirror of an app, or of all apps, and how sums come about. */
export function MirrorNotes({
  project,
  app,
  sums,
}: {
  project: string;
  app: string;
  /** The entries whose sums are shown; undefined if none are. */
  sums: EntriesSelection | undefined;
}): ReactNode {
  const gaps = useMirrorGaps(project, app);
  const today = useServerTime(dayOf);
  return (
    <section className={styles.notes} aria-label="The mirror">
      {blockingError(gaps) !== undefined && (
        <p className="soft">What is missing in the mirror could not be read.</p>
      )}
      {gapSentences(gaps.data ?? [], { today, ...FORMATS }).map((sentence) => (
        <p key={sentence} className={styles.gap}>
          <svg className={styles.mark} width="12" height="11" aria-hidden="true">
            <path d="M0,0h12l-6,11z" />
          </svg>
          {sentence}
        </p>
      ))}
      {sums !== undefined && <SumsNote selection={sums} />}
    </section>
  );
}

/** Says that sums follow from percentages, and how many entries they leave out. */
function SumsNote({ selection }: { selection: EntriesSelection }): ReactNode {
  const { data: excluded = 0 } = useExcludedEntries(selection);
  return (
    <p className="soft">
      Sums follow from the percentages of the original, which may be rounded
      {excluded > 0 &&
        `; ${excluded === 1 ? "1 entry" : `${formatCount(excluded)} entries`} without figures ${excluded === 1 ? "is" : "are"} left out`}
      .
    </p>
  );
}
