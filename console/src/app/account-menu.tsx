import { type ReactNode, useMemo, useState } from "react";
import { formatInstant } from "#console/model/days/format-day.js";
import { Segments } from "#console/ui/choose/controls.js";
import { Menu } from "#console/ui/choose/menu.js";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "#console/ui/design/theme.js";
import { ViewLink } from "#console/ui/view/use-view.js";
import styles from "./account-menu.module.css";
import { useSession } from "./sign-in/session.js";
import { claimsOf } from "./sign-in/token-claims.js";

/** A page of the docs site, which is next to the console. */
const HELP = "../docs/guides/console";

const THEME_TITLES: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };

/** The signed-in viewer, theme, help, settings, and a button to sign out. */
export function AccountMenu({ hasSettings }: { hasSettings: boolean }): ReactNode {
  const { token, signOut } = useSession();
  const [theme, setTheme] = useState(chosenTheme);
  const { principal, expiry } = useMemo(() => claimsOf(token ?? ""), [token]);
  const choose = (theme: Theme): void => {
    chooseTheme(theme);
    setTheme(theme);
  };
  return (
    <Menu
      label={principal === undefined ? "Account" : `Account: ${principal}`}
      shown={<span className={styles.initial}>{(principal ?? "?").charAt(0).toUpperCase()}</span>}
      className={styles.opener}
    >
      <div className={styles.viewer}>
        <strong>{principal ?? "Signed in with an opaque token"}</strong>
        {expiry !== undefined && (
          <span className="small soft">Token expires {formatInstant(expiry * 1_000)}</span>
        )}
      </div>
      <div className={styles.theme}>
        <Segments
          legend="Theme"
          segments={THEMES.map((each) => ({
            title: THEME_TITLES[each],
            isChosen: each === theme,
            choose: () => choose(each),
          }))}
        />
      </div>
      {hasSettings && <ViewLink change={{ tab: "settings" }}>Project settings</ViewLink>}
      <a href={HELP}>Help</a>
      <button type="button" data-closes onClick={signOut}>
        Sign out
      </button>
    </Menu>
  );
}
