import { type ReactNode, useEffect, useRef } from "react";
import { SETTINGS_PERMISSIONS } from "#console/api/registry-api.js";
import { usePermissions } from "#console/api/registry-queries.js";
import { useServices } from "#console/api/services.js";
import { TAB_TITLES, TABS, type Tab, type View } from "#console/model/view/view.js";
import { changeView, ViewLink } from "#console/ui/view/use-view.js";
import styles from "./tabs.module.css";

/** Sections of the settings. The bar shows one tab for them. */
const SECTION_TITLES: Partial<Record<Tab, string>> = {
  settings: "Apps and access",
  integrity: TAB_TITLES.integrity,
};
/** Returns true for a section of the settings. */
export const isSection = (tab: Tab): boolean => SECTION_TITLES[tab] !== undefined;

/** One tab for all sections of the settings. */
const SHOWN = TABS.filter((tab) => tab === "settings" || !isSection(tab));

/** Returns true if the viewer may see a project's apps and access. Undefined until the page knows the role. */
export function useHasSettings(project: string | undefined): boolean | undefined {
  const { registry } = useServices().api;
  const permissions = usePermissions(project);
  if (registry !== undefined && permissions === undefined) return undefined;
  return SETTINGS_PERMISSIONS.some((permission) => permissions?.has(permission));
}

/** The tab bar. The settings open the first section that the viewer may see. */
export function Tabs({
  view,
  hasSettings,
}: {
  view: View;
  /** Undefined until the page knows the role. */
  hasSettings: boolean | undefined;
}): ReactNode {
  const bar = useRef<HTMLElement>(null);
  const current = SHOWN.findIndex((tab) => tab === view.tab || (tab === "settings" && isSection(view.tab)));
  const followed = useEarlySettings(view.tab, hasSettings);
  // Scrolls the current tab into view on narrow screens. `scrollIntoView` would also move the sequential focus
  // starting point.
  useEffect(() => {
    const shown = bar.current?.children[current];
    if (bar.current === null || shown === undefined) return;
    const { left, right } = bar.current.getBoundingClientRect();
    const tab = shown.getBoundingClientRect();
    bar.current.scrollLeft += Math.max(0, tab.right - right) + Math.min(0, tab.left - left);
  }, [current]);
  return (
    <nav ref={bar} className={styles.tabs} aria-label="Views">
      {SHOWN.map((tab, index) => (
        <ViewLink
          key={tab}
          change={{ tab: tab === "settings" && hasSettings === false ? "integrity" : tab }}
          current={index === current}
          onFollow={() => followed(tab)}
        >
          {TAB_TITLES[tab]}
        </ViewLink>
      ))}
    </nav>
  );
}

/**
 * Moves a viewer who opened the settings too early for the page to know the role, and may only see app integrity.
 *
 * @returns a function to call when the viewer has followed a tab.
 */
function useEarlySettings(tab: Tab, hasSettings: boolean | undefined): (followed: Tab) => void {
  const isEarly = useRef(false);
  useEffect(() => {
    if (hasSettings === undefined) return;
    if (isEarly.current && !hasSettings && tab === "settings") changeView({ tab: "integrity" }, "replace");
    isEarly.current = false;
  }, [tab, hasSettings]);
  return (followed) => {
    isEarly.current = followed === "settings" && hasSettings === undefined;
  };
}

/** Links to settings sections, for viewers who may see more than one. */
export function SettingsSections({ view }: { view: View }): ReactNode {
  return (
    <nav className={styles.sections} aria-label="Settings">
      {Object.entries(SECTION_TITLES).map(([tab, title]) => (
        <ViewLink key={tab} change={{ tab: tab as Tab }} current={tab === view.tab}>
          {title}
        </ViewLink>
      ))}
    </nav>
  );
}
