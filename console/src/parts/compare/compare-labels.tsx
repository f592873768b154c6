import { type ReactNode, useMemo } from "react";
import { useGroups, useKnownIncidents } from "#console/api/queries.js";
import type { EntriesSelection } from "#console/api/requests.js";
import type { DeliveryGroup } from "#console/api/waybill-api.js";
import { blamedLabelOf } from "#console/model/figures/incident.js";
import { acceptedOf } from "#console/model/numbers/counts.js";
import { formatCount } from "#console/model/numbers/format-number.js";
import { OTHER_LABELS } from "#console/model/view/view.js";
import { Picker } from "#console/ui/choose/picker.js";
import { Loaded, useKept } from "#console/ui/states/loaded.js";
import { Notice } from "#console/ui/states/notice.js";
import { changeView } from "#console/ui/view/use-view.js";
import { labelText } from "#src/presentation/field-text.js";
import { useSelection } from "../selection.js";
import type { SideChoice } from "./comparison.js";
import { COMPARE_HEIGHT } from "./comparison.js";
import { KindSwitch } from "./kind-switch.js";

/**
 * Chooses two labels. The default is the only label of the view, or else the one that an ongoing incident blames, against all
 * others. Without one, the defaults have the most messages.
 */
export function CompareLabels({
  left,
  right,
  children,
}: {
  left: string | undefined;
  right: string | undefined;
  children: (left: SideChoice, right: SideChoice) => ReactNode;
}): ReactNode {
  const selection = useSelection();
  // The label filter is hidden here, so all labels can be chosen.
  const allLabels = { ...selection, labels: undefined };
  const groups = useGroups({ ...allLabels, groupBy: ["ANALYTICS_LABEL"] });
  const incidents = useKnownIncidents(allLabels);
  const now = useMemo(
    () => groups.data && incidents && { known: byMessages(groups.data), blamed: blamedLabelOf(incidents) },
    [groups.data, incidents],
  );
  const shown = useKept(now, selection);
  const { known = [], blamed } = shown.value ?? {};
  const only = selection.labels?.length === 1 ? selection.labels[0] : undefined;
  const [first, second] = withDefaults([left, right], known, only ?? blamed);
  const sides = useMemo(
    () =>
      first === undefined || second === undefined
        ? undefined
        : ([
            sideOf(first, selection),
            second === OTHER_LABELS ? othersOf(first, selection) : sideOf(second, selection),
          ] as const),
    [first, second, selection],
  );
  const options = useMemo(
    () =>
      shown.value?.known.map(({ label, counts }) => ({
        value: label,
        text: labelText(label),
        note: formatCount(acceptedOf(counts)),
      })) ?? [],
    [shown.value],
  );
  const picker = (
    title: string,
    label: string | undefined,
    choose: (label: string) => void,
    first: typeof options = [],
  ): ReactNode => (
    <Picker
      label={title}
      shown={label === undefined ? "Choose a label" : label === OTHER_LABELS ? OTHERS : labelText(label)}
      query={groups}
      options={[...first, ...options]}
      chosen={label === undefined ? [] : [label]}
      onChoose={choose}
    />
  );
  const compare = (left: string | undefined, right: string | undefined): void =>
    changeView({ comparison: { kind: "labels", left, right } });
  return (
    <>
      <KindSwitch kind="labels">
        {picker("Left", first, (label) => compare(label, second))}
        {picker("Right", second, (label) => compare(first, label), OTHERS_OPTION)}
      </KindSwitch>
      <Loaded shown={shown} queries={[groups]} height={COMPARE_HEIGHT}>
        {() =>
          sides === undefined ? (
            <Notice title="Comparing needs two labels">
              <p>These days have fewer than two labels. Choose a longer range, or compare two ranges.</p>
            </Notice>
          ) : (
            children(...sides)
          )
        }
      </Loaded>
    </>
  );
}

const sideOf = (label: string, selection: EntriesSelection): SideChoice => ({
  title: labelText(label),
  selection: { ...selection, labels: [label] },
});

const OTHERS = "All other labels";
const OTHERS_OPTION = [{ value: OTHER_LABELS, text: OTHERS, note: "" }];

const othersOf = (label: string, selection: EntriesSelection): SideChoice => ({
  title: OTHERS,
  selection: { ...selection, labels: undefined, exceptLabel: label },
});

const byMessages = (groups: readonly DeliveryGroup[]): readonly DeliveryGroup[] =>
  [...groups].sort((a, b) => acceptedOf(b.counts) - acceptedOf(a.counts));

/** Fills each open choice: both with the blamed label and all others, or with the first label that is not chosen yet. */
function withDefaults(
  chosen: readonly [string | undefined, string | undefined],
  known: readonly DeliveryGroup[],
  blamed: string | undefined,
): [string | undefined, string | undefined] {
  const isOpen = chosen.every((label) => label === undefined);
  if (isOpen && known.length > 1 && known.some(({ label }) => label === blamed))
    return [blamed, OTHER_LABELS];
  const free = known.map(({ label }) => label).filter((label) => !chosen.includes(label));
  const [left, right] = chosen.map((label) => label ?? free.shift());
  return [left, right];
}
