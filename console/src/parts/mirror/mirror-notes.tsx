import type { ReactNode } from "react";
import { useExcludedEntries, useMirrorGaps } from "#console/api/queries.js";
import { blockingError } from "#console/api/read-state.js";
import type { EntriesSelection } from "#console/api/requests.js";
import { useServerTime } from "#console/api/services.js";
import { formatInstant, longDay } from "#console/model/days/format-day.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { BadMark } from "#console/ui/elements/basics.js";
import { dayOf } from "#src/model/day.js";
import { gapSentences } from "#src/presentation/gap-sentences.js";
import { mirroredSumsText } from "#src/presentation/mirrored-sums.js";
import styles from "./mirror-notes.module.css";

const FORMATS = { day: longDay, time: formatInstant, count: formatCount };

/** Lists mirror gaps, for one app or for all apps, and explains how sums are computed. */
export function MirrorNotes({
  project,
  app,
  sums,
}: {
  project: string;
  app: string;
  /** Entries behind the sums on the page. Undefined if it shows no sums. */
  sums: EntriesSelection | undefined;
}): ReactNode {
  const gaps = useMirrorGaps(project, app);
  const today = useServerTime(dayOf);
  return (
    <section className={styles.notes} aria-label="Mirror">
      {blockingError(gaps) !== undefined && <p className="soft">Could not load this mirror's gaps.</p>}
      {gapSentences(gaps.data ?? [], { today, ...FORMATS }).map((sentence) => (
        <p key={sentence} className={styles.gap}>
          <BadMark className={styles.mark} />
          {sentence}
        </p>
      ))}
      {sums !== undefined && <SumsNote selection={sums} />}
    </section>
  );
}

/** Explains that sums are computed from percentages, and how many entries are excluded. */
function SumsNote({ selection }: { selection: EntriesSelection }): ReactNode {
  const { data: excluded = 0 } = useExcludedEntries(selection);
  return <p className="soft">{mirroredSumsText(excluded)}</p>;
}
