import {
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useRef,
  useState,
} from "react";
import type { DayRange } from "#console/model/days/day-range.js";
import type { Day } from "#src/model/day.js";
import type { Plot } from "../shapes/scales.js";

/** What viewers can do with days in a chart. */
export interface DayActions {
  /**
   * Opens a day's details: on a click, a second tap, or Enter.
   *
   * @param category key of the chosen segment, if there is one
   */
  readonly open: (days: DayRange, category?: string) => void;
  /** Zooms in: after dragging across days, or choosing them with Shift and pressing Enter. */
  readonly zoom: (days: DayRange) => void;
}

/** Undefined for charts without actions. */
export const DayActionsContext = createContext<DayActions | undefined>(undefined);

/** Days or weeks per key press. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
/** Steps through a day's segments, which are listed from top to bottom. */
const SEGMENT_STEPS: Readonly<Record<string, -1 | 1>> = { ArrowUp: -1, ArrowDown: 1 };
/** Maximum pointer movement during a click, in pixels. */
const CLICK_DISTANCE = 4;

/** A cursor's days and event handlers. */
export interface Cursor {
  /** The days in one bar, or in several. */
  readonly chosen: DayRange;
  /** The chosen day that moves. */
  readonly end: Day;
  /** True if a single bar is chosen. */
  readonly isOne: boolean;
  /** Key of the chosen segment. Undefined for the whole bar. */
  readonly segment: string | undefined;
  readonly isShown: boolean;
  /** True if the day was chosen by touch. */
  readonly isTouched: boolean;
  readonly handlers: CursorHandlers;
}

interface CursorHandlers {
  onPointerDown(event: PointerEvent<HTMLElement>): void;
  onPointerMove(event: PointerEvent<HTMLElement>): void;
  onPointerUp(event: PointerEvent<HTMLElement>): void;
  onPointerCancel(event: PointerEvent<HTMLElement>): void;
  onPointerLeave(event: PointerEvent<HTMLElement>): void;
  onFocus(event: FocusEvent<HTMLElement>): void;
  onBlur(): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
}

/** A pressed mouse button or finger. */
interface Press {
  readonly x: number;
  readonly day: Day;
  /** True if its release opens the day. The first tap only shows the values. */
  readonly opens: boolean;
}

/**
 * Moves a cursor over days by pointer and keys.
 *
 * @param segments category keys in each bar, from top to bottom. Empty if bars have no segments.
 */
export function useCursor(
  { days, left }: Plot,
  actions: DayActions | undefined,
  segments: readonly string[],
): Cursor {
  const { range } = days;
  const [ends, setEnds] = useState<{ readonly start: Day; readonly end: Day }>();
  const [pointed, setPointed] = useState<string>();
  const [isShown, setShown] = useState(false);
  const [isTouched, setTouched] = useState(false);
  const press = useRef<Press>(undefined);
  /** The day under each finger. */
  const [fingers] = useState(() => new Map<number, Day>());

  // The range may have changed since.
  const within = (day: Day): Day => Math.min(range.last, Math.max(range.first, day));
  const start = within(ends?.start ?? range.last);
  const end = within(ends?.end ?? range.last);
  const span = (a: Day, b: Day): DayRange => ({
    first: days.periodOf(Math.min(a, b)).first,
    last: days.periodOf(Math.max(a, b)).last,
  });
  const shareBar = (a: Day, b: Day): boolean => days.periodOf(a).first === days.periodOf(b).first;
  const chosen = span(start, end);
  const isOne = shareBar(start, end);
  // With an isolated category, the whole bar is its segment.
  const segment = segments.length === 1 ? segments[0] : segments.find((key) => key === pointed);

  const show = (next: Day, from = next): void => {
    setEnds({ start: within(from), end: within(next) });
    setShown(true);
  };
  const act = (from: Day, to: Day): void => {
    if (shareBar(from, to)) actions?.open(span(from, to), segment);
    else actions?.zoom(span(from, to));
    show(end);
  };
  /** Chooses days between fingers. */
  const showBetween = (): void => {
    const days = [...fingers.values()];
    show(Math.max(...days), Math.min(...days));
  };
  const dayAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): Day =>
    days.dayAt(clientX - currentTarget.getBoundingClientRect().left + left);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const segmentStep = segments.length > 1 ? SEGMENT_STEPS[event.key] : undefined;
    const step = STEPS[event.key];
    if (segmentStep !== undefined) {
      setPointed(segmentAfter(segments, segment, segmentStep));
      show(end);
    } else if (step !== undefined)
      show(end + step * days.period, event.shiftKey && actions ? start : undefined);
    else if (event.key === "Enter" && actions) act(start, end);
    else if (event.key === "Escape" && isShown) {
      setPointed(undefined);
      if (isOne) setShown(false);
      else show(end);
    } else return;
    setTouched(false);
    event.preventDefault();
  };

  return {
    chosen,
    end,
    isOne,
    segment: isOne ? segment : undefined,
    isShown,
    isTouched,
    handlers: {
      onPointerDown: (event) => {
        const day = dayAt(event);
        const isTouch = event.pointerType === "touch";
        if (isTouch && actions !== undefined) fingers.set(event.pointerId, day);
        if (fingers.size > 1) {
          press.current = undefined;
          showBetween();
          return;
        }
        if (event.button === 0) {
          press.current = {
            x: event.clientX,
            day,
            opens: !isTouch || (isShown && isOne && shareBar(day, end)),
          };
          if (!isTouch) event.currentTarget.setPointerCapture(event.pointerId);
        }
        setTouched(isTouch);
        setPointed(segments.length > 1 ? segmentAt(event) : undefined);
        show(day);
      },
      onPointerMove: (event) => {
        const { current } = press;
        if (fingers.has(event.pointerId)) fingers.set(event.pointerId, dayAt(event));
        if (fingers.size > 1) {
          showBetween();
          return;
        }
        // A moving finger shows values but does not choose a range.
        const isDrag = current !== undefined && actions !== undefined && event.pointerType !== "touch";
        setPointed(segments.length > 1 ? segmentAt(event) : undefined);
        show(dayAt(event), isDrag ? current.day : undefined);
      },
      onPointerUp: (event) => {
        const { current } = press;
        press.current = undefined;
        const isZoom = fingers.size > 1 && !isOne;
        fingers.delete(event.pointerId);
        if (isZoom) {
          // Ignores the remaining fingers.
          fingers.clear();
          act(start, end);
        }
        if (current === undefined) return;
        const { x, day, opens } = current;
        const isClick = Math.abs(event.clientX - x) <= CLICK_DISTANCE;
        const other = isClick ? day : dayAt(event);
        if (opens && (isClick || event.pointerType !== "touch")) act(day, other);
      },
      onPointerCancel: () => {
        press.current = undefined;
        if (fingers.size > 1) show(end);
        fingers.clear();
      },
      onPointerLeave: (event) => {
        // A day chosen by touch stays until the next tap.
        if (event.pointerType === "touch" || press.current !== undefined) return;
        setShown(event.currentTarget.matches(":focus-visible"));
      },
      onFocus: (event) => {
        if (event.currentTarget.matches(":focus-visible")) setShown(true);
      },
      onBlur: () => setShown(false),
      onKeyDown,
    },
  };
}

/** Returns the category key of the segment (`data-segment`) at a pointer position, if there is one. */
const segmentAt = ({ clientX, clientY }: { clientX: number; clientY: number }): string | undefined =>
  document
    .elementsFromPoint(clientX, clientY)
    .map((element) => element.closest("[data-segment]")?.getAttribute("data-segment"))
    .find((key) => typeof key === "string") ?? undefined;

/** Returns the next segment for an arrow key. The first press of Up starts at the bottom, of Down at the top. */
function segmentAfter(keys: readonly string[], now: string | undefined, step: -1 | 1): string | undefined {
  const at = now === undefined ? -1 : keys.indexOf(now);
  if (at < 0) return keys.at(step < 0 ? -1 : 0);
  return keys[Math.min(keys.length - 1, Math.max(0, at + step))];
}
