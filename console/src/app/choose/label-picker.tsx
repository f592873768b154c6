import { type ReactNode, useMemo } from "react";
import { useGroups } from "#console/api/queries.js";
import type { EntriesSelection } from "#console/api/requests.js";
import type { DeliveryGroup } from "#console/api/waybill-api.js";
import { acceptedOf } from "#console/model/numbers/counts.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { labelsText } from "#console/model/view/view.js";
import type { Option } from "#console/ui/choose/options.js";
import { Picker } from "#console/ui/choose/picker.js";
import { useKept } from "#console/ui/states/loaded.js";
import { changeView } from "#console/ui/view/use-view.js";
import { labelText } from "#src/presentation/field-text.js";
import styles from "./label-picker.module.css";

export function LabelPicker({ selection }: { selection: EntriesSelection }): ReactNode {
  const { labels } = selection;
  const groups = useGroups({ ...selection, labels: undefined, groupBy: ["ANALYTICS_LABEL"] });
  const { value } = useKept(groups.data, selection);
  const options = useMemo(() => optionsOf(value ?? [], labels ?? []), [value, labels]);
  const toggle = (label: string): void => {
    const chosen = labels ?? [];
    const next = chosen.includes(label) ? chosen.filter((other) => other !== label) : [...chosen, label];
    changeView({ labels: next.length > 0 ? next : undefined });
  };
  return (
    <div className={styles.labels} data-chosen={labels !== undefined || undefined}>
      <Picker
        label="Labels"
        shown={labelsText(labels)}
        query={groups}
        options={options}
        chosen={labels ?? []}
        several
        onChoose={toggle}
      />
      {labels !== undefined && (
        <button
          type="button"
          className={styles.all}
          aria-label="Show all labels"
          title="Show all labels"
          onClick={() => changeView({ labels: undefined })}
        >
          <svg width="10" height="10" aria-hidden="true">
            <path d="M1,1l8,8M9,1l-8,8" />
          </svg>
        </button>
      )}
    </div>
  );
}

/** Lists labels, most messages first. Includes chosen labels without entries, so that they can be unchosen. */
function optionsOf(groups: readonly DeliveryGroup[], chosen: readonly string[]): readonly Option[] {
  const known = [...groups].sort((a, b) => acceptedOf(b.counts) - acceptedOf(a.counts));
  const names = new Set(known.map(({ label }) => label));
  const absent = chosen.filter((label) => !names.has(label));
  return [
    ...absent.map((label) => ({ value: label, text: labelText(label), note: "no entries" })),
    ...known.map(({ label, counts }) => ({
      value: label,
      text: labelText(label),
      note: formatCount(acceptedOf(counts)),
    })),
  ];
}
