import type { UseQueryResult } from "@tanstack/react-query";
import {
  type FormEvent,
  type HTMLInputAutoCompleteAttribute,
  type ReactNode,
  useEffect,
  useId,
  useRef,
} from "react";
import { Field } from "#console/ui/choose/controls.js";
import { Button, Problem } from "#console/ui/elements/basics.js";
import { Loaded } from "#console/ui/states/loaded.js";
import styles from "./change-form.module.css";
import type { Change } from "./use-change.js";

/** Expected height of a form, in pixels. */
const HEIGHT = 160;

/** Shows a form once the current state is read. */
export const WithState = <S,>({
  state,
  children,
}: {
  state: UseQueryResult<S>;
  children: (state: S) => ReactNode;
}): ReactNode => (
  <Loaded shown={{ value: state.data, isStale: false }} queries={[state]} height={HEIGHT}>
    {children}
  </Loaded>
);

/** A dialog's form: fields, a description of the effect, and buttons. */
export function ChangeForm({
  action,
  effect,
  change,
  isReady = true,
  onCancel,
  children,
}: {
  /** Text of the button that makes the change. Undefined if there is nothing to change. */
  action: string | undefined;
  /** Describes the effect of confirming. */
  effect: ReactNode;
  change: Change;
  /** False while a field is empty. */
  isReady?: boolean;
  onCancel: () => void;
  children?: ReactNode;
}): ReactNode {
  const { isBusy, conflict, problem, run } = change;
  const form = useRef<HTMLFormElement>(null);
  // Also after a failed attempt. Without fields, the focus is on the button that changes nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(
    () => form.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus(),
    [conflict, problem],
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isBusy && isReady) run();
  };
  return (
    <form ref={form} className={styles.form} onSubmit={submit} autoComplete="off" aria-busy={isBusy}>
      <div role="alert">{conflict !== undefined && <p className={styles.conflict}>{conflict}</p>}</div>
      {children}
      <p className={styles.effect}>{effect}</p>
      <Problem>{problem}</Problem>
      <div className={styles.buttons}>
        <Button onClick={onCancel}>{action === undefined ? "Close" : "Cancel"}</Button>
        {action !== undefined && (
          <Button type="submit" look="primary" disabled={isBusy || !isReady}>
            {action}
          </Button>
        )}
      </div>
    </form>
  );
}

export function TextField({
  label,
  help,
  type = "text",
  autoComplete = "off",
  maxLength,
  inputMode,
  value,
  onChange,
}: {
  label: string;
  help?: string | undefined;
  type?: "text" | "url";
  autoComplete?: HTMLInputAutoCompleteAttribute;
  maxLength?: number | undefined;
  inputMode?: "text" | "decimal" | undefined;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <Field>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        value={value}
        maxLength={maxLength}
        inputMode={inputMode}
        autoComplete={autoComplete}
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={(event) => onChange(event.target.value)}
      />
      {help !== undefined && (
        <p id={`${id}-help`} className="small soft">
          {help}
        </p>
      )}
    </Field>
  );
}

/** Chooses one of a few options in a form, below its label. */
export const ChoiceField = ({ label, children }: { label: string; children: ReactNode }): ReactNode => (
  <Field>
    <span className="label" aria-hidden="true">
      {label}
    </span>
    {children}
  </Field>
);
