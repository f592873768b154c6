import type { ReactNode } from "react";
import { Button } from "../elements/basics.js";
import { CardActions } from "../elements/card.js";
import styles from "./item-list.module.css";

/** A list of things with several details each. Use a table to compare numbers. */
export const ItemList = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <ul className={styles.list} aria-label={label}>
    {children}
  </ul>
);

export const Item = ({
  title,
  details,
  actions,
  isFaded = false,
  children,
}: {
  title: ReactNode;
  /** Short texts in one line, which wraps if needed. */
  details: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
  /** True for something that no longer exists. */
  isFaded?: boolean;
  /** Content below the details. */
  children?: ReactNode;
}): ReactNode => (
  <li className={styles.item} data-faded={isFaded || undefined}>
    <div className={styles.text}>
      <h3 className={styles.title}>{title}</h3>
      <div className={styles.details}>{details}</div>
      {children}
    </div>
    {actions !== undefined && <div className={styles.actions}>{actions}</div>}
  </li>
);

/** A button that loads the next page of a list, if there is one. */
export const NextPage = ({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  children: string;
}): ReactNode =>
  hasNextPage && (
    <CardActions>
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </CardActions>
  );
