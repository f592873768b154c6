import { type ReactNode, useEffect } from "react";
import { useAppNames } from "#console/api/registry-queries.js";
import { nextListingOf, useLastListedDay, useServices } from "#console/api/services.js";
import { formatInstant, longDay } from "#console/model/days/format-day.js";
import { TAB_TITLES, type Tab } from "#console/model/view/view.js";
import { useChoices, useChoicesInAddress } from "#console/parts/selection.js";
import { Brand } from "#console/ui/elements/basics.js";
import { useView } from "#console/ui/view/use-view.js";
import type { Day } from "#src/model/day.js";
import { AccountMenu } from "./account-menu.js";
import { ClockBanner, OfflineBanner, OutdatedBanner } from "./banners.js";
import { ProjectAndApp } from "./choose/project-and-app.js";
import { Content } from "./content.js";
import { usePartsAhead } from "./part.js";
import styles from "./shell.module.css";
import { Tabs, useHasSettings } from "./tabs.js";
import { Views } from "./views/views.js";

/** Parts about a whole project. */
const OF_PROJECTS: ReadonlySet<Tab> = new Set(["project", "incidents", "integrity", "settings"]);

/** The page layout: pickers and tabs on top, content below. */
export function Shell(): ReactNode {
  const view = useView();
  const choices = useChoices();
  useChoicesInAddress(choices);
  const listed = useLastListedDay();
  usePartsAhead();
  const hasSettings = useHasSettings(choices.project?.id);
  const appNames = useAppNames(choices.project?.id);
  const subject = OF_PROJECTS.has(view.tab)
    ? view.project
    : view.app && (appNames?.get(view.app) ?? view.app);
  useEffect(() => {
    document.title = [subject, TAB_TITLES[view.tab], "Waybill"].filter(Boolean).join(" · ");
  }, [subject, view.tab]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to the figures
      </a>
      <header className={styles.header}>
        <div className={styles.row}>
          <span className={styles.brand}>
            <Brand />
          </span>
          <ProjectAndApp choices={choices} />
          <div className={styles.account}>
            <Views project={choices.project?.id} />
            <AccountMenu hasSettings={hasSettings === true} />
          </div>
        </div>
        <Tabs view={view} hasSettings={hasSettings} />
      </header>
      <ClockBanner />
      <OutdatedBanner />
      <OfflineBanner />
      <main id="main" className={styles.main} tabIndex={-1}>
        <h1 className="visually-hidden">
          {TAB_TITLES[view.tab]}
          {subject !== undefined && ` of ${subject}`}
        </h1>
        <Content view={view} hasSettings={hasSettings === true} choices={choices} listed={listed} />
      </main>
      <Footer listed={listed} />
    </div>
  );
}

/** Shows the last listed day and when the next one is listed. */
function Footer({ listed }: { listed: Day }): ReactNode {
  const { config } = useServices();
  return (
    <footer className={styles.footer}>
      <p>
        Last listed day: {longDay(listed)}. Next day:{" "}
        {formatInstant(nextListingOf(listed, config.settleDelayMs))}, your time.
      </p>
      <p>Waybill {config.version}</p>
    </footer>
  );
}
