import type { ReactNode } from "react";
import { EARLIER, type Earlier } from "#console/model/view/chosen-range.js";
import { Select } from "#console/ui/choose/select.js";
import { changeView } from "#console/ui/view/use-view.js";

const TITLES: Readonly<Record<Earlier, string>> = {
  before: "vs period before",
  year: "vs last year",
};

/** Chooses the earlier range that figures are compared with. */
export const EarlierPicker = ({ earlier }: { earlier: Earlier }): ReactNode => (
  <Select
    label="Changes"
    options={EARLIER.map((value) => ({ value, text: TITLES[value] }))}
    chosen={earlier}
    onChoose={(value) => changeView({ earlier: value })}
  />
);
