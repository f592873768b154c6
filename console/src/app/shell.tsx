import { type ReactNode, useEffect } from "react";
import { useSession } from "../auth/session.js";
import { ProjectAndApp } from "../choose/project-and-app.js";
import { useChoices, useChoicesInAddress } from "../choose/use-choices.js";
import { useLastListedDay } from "../days/use-last-listed-day.js";
import { OfflineBanner } from "../states/offline-banner.js";
import { OutdatedBanner } from "../states/outdated-banner.js";
import { useView } from "../view/use-view.js";
import { Content } from "./content.js";
import { Footer } from "./footer.js";
import { useServices } from "./services.js";
import { TAB_TITLES, Tabs } from "./tabs.js";

/** The frame of the console: choices on top, content below. */
export function Shell(): ReactNode {
  const view = useView();
  const { signOut } = useSession();
  const choices = useChoices();
  useChoicesInAddress(choices);
  const listed = useLastListedDay(useServices().config.settleDelayMs);
  useEffect(() => {
    document.title = [view.app, TAB_TITLES[view.tab], "Waybill"].filter(Boolean).join(" · ");
  }, [view.app, view.tab]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the figures
      </a>
      <header className="header">
        <div className="header-row">
          <span className="brand">Waybill</span>
          <ProjectAndApp choices={choices} />
          <button type="button" className="button-plain sign-out" onClick={signOut}>
            Sign out
          </button>
        </div>
        <Tabs view={view} />
      </header>
      <OutdatedBanner />
      <OfflineBanner />
      <main id="main" className="main" tabIndex={-1}>
        <h1 className="visually-hidden">
          {TAB_TITLES[view.tab]}
          {view.tab !== "integrity" && view.app !== undefined && ` of ${view.app}`}
        </h1>
        <Content view={view} choices={choices} listed={listed} />
      </main>
      <Footer listed={listed} />
    </div>
  );
}
