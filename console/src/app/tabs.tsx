import { type ReactNode, useEffect, useRef } from "react";
import { SETTINGS_PERMISSIONS } from "#console/api/registry-api.js";
import { usePermissions } from "#console/api/registry-queries.js";
import { TAB_TITLES, TABS, type Tab, type View } from "#console/model/view/view.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import styles from "./tabs.module.css";

const NO_SETTINGS = TABS.filter((tab) => tab !== "settings");
/** Sections of the settings. The bar shows one tab for them. */
const SECTION_TITLES: Partial<Record<Tab, string>> = {
  settings: "Apps and access",
  integrity: TAB_TITLES.integrity,
};
const isSection = (tab: Tab): boolean => SECTION_TITLES[tab] !== undefined;

/** Returns the parts for a project: apps and access only for viewers who may see them. */
export function useTabs(project: string | undefined): readonly Tab[] {
  const permissions = usePermissions(project);
  return SETTINGS_PERMISSIONS.some((permission) => permissions?.has(permission)) ? TABS : NO_SETTINGS;
}

/** The tab bar. */
export function Tabs({ view, tabs }: { view: View; tabs: readonly Tab[] }): ReactNode {
  const bar = useRef<HTMLElement>(null);
  const settings = tabs.includes("settings") ? "settings" : "integrity";
  const shownTabs = tabs.filter((tab) => !isSection(tab) || tab === settings);
  const current = shownTabs.findIndex((tab) => tab === view.tab || (tab === settings && isSection(view.tab)));
  // Scrolls the current tab into view on narrow screens. `scrollIntoView` would also move the sequential focus //
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
      {shownTabs.map((tab, index) => (
        <ViewLink key={tab} change={{ tab }} current={index === current}>
          {TAB_TITLES[tab === settings ? "settings" : tab]}
        </ViewLink>
      ))}
    </nav>
  );
}

/** Links to settings sections, for viewers who may see more than one. */
export function SettingsSections({ view, tabs }: { view: View; tabs: readonly Tab[] }): ReactNode {
  if (!isSection(view.tab) || !tabs.includes("settings")) return null;
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
