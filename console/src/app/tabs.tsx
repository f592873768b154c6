import { type ReactNode, useEffect, useRef } from "react";
import { SETTINGS_PERMISSIONS } from "#console/api/registry-api.js";
import { usePermissions } from "#console/api/registry-queries.js";
import { TAB_TITLES, TABS, type Tab, type View } from "#console/model/view/view.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import styles from "./tabs.module.css";

const NO_SETTINGS = TABS.filter((tab) => tab !== "settings");

/** Returns the tabs for a project: settings only for viewers who may see them. */
export function useTabs(project: string | undefined): readonly Tab[] {
  const permissions = usePermissions(project);
  return SETTINGS_PERMISSIONS.some((permission) => permissions?.has(permission)) ? TABS : NO_SETTINGS;
}

/** The tab bar. */
export function Tabs({ view, tabs }: { view: View; tabs: readonly Tab[] }): ReactNode {
  const bar = useRef<HTMLElement>(null);
  // Scrolls the current tab into view on narrow screens. `scrollIntoView` would also move the sequential focus //
  // starting point.
  useEffect(() => {
    const shown = bar.current?.children[tabs.indexOf(view.tab)];
    if (bar.current === null || shown === undefined) return;
    const { left, right } = bar.current.getBoundingClientRect();
    const tab = shown.getBoundingClientRect();
    bar.current.scrollLeft += Math.max(0, tab.right - right) + Math.min(0, tab.left - left);
  }, [view.tab, tabs]);
  return (
    <nav ref={bar} className={styles.tabs} aria-label="Views">
      {tabs.map((tab) => (
        <ViewLink key={tab} change={{ tab }} current={tab === view.tab}>
          {TAB_TITLES[tab]}
        </ViewLink>
      ))}
    </nav>
  );
}
