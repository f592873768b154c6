import type { ReactNode } from "react";
import styles from "./brand.module.css";

/** The name of the product. */
export const Brand = (): ReactNode => <span className={styles.brand}>Waybill</span>;
