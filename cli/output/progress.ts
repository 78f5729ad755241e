import { styleText } from "node:util";
import type { CliIo } from "../home/up-options.ts";
import { printable, truncated } from "./printable.ts";

/** What a long work has done so far. */
export interface ProgressState {
  readonly done: number;
  /** Unknown when absent: then neither percent nor remaining time is shown. */
  readonly total?: number;
  /** A few words behind the figures. */
  readonly note?: string;
}

export interface Progress {
  /** Shows a new state, at most ten times a second on a terminal. */
  update(state: ProgressState): void;
  /** Prints a line of its own without tearing the bar. */
  log(line: string): void;
  /** Shows the last state for good and ends the line. */
  finish(): void;
}

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream & { readonly columns?: number };
  /** A bar that is drawn over on a terminal, a line now and then elsewhere. */
  readonly isTTY: boolean;
  readonly color: boolean;
  readonly label: string;
  readonly now: () => number;
  /** Between two lines where there is no terminal. */
  readonly lineEveryMs?: number;
  /** A work that is over by then shows nothing at all. Default 0. */
  readonly silentMs?: number;
}

const redrawEveryMs = 100;
const defaultLineEveryMs = 5_000;
const barColumns = 24;
/** Narrower ones say nothing. */
const leastBarColumns = 6;
/** Percent and counts, for which a bar gives way. */
const leastTextColumns = 24;
const defaultColumns = 80;
/** Share of the newest measurement in the rate: it follows a change within a few seconds and does not flicker. */
const rateSmoothing = 0.2;
const rateEveryMs = 500;
/** Without anything done for so long there is no rate to speak of, and nobody knows how long it takes. */
const stalledMs = 5_000;
const clearLine = "\r\u001b[2K";

/** Time left as `5 s`, `3 min`, `2 h`; rounded up, so that it does not promise too much. */
function remaining(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.ceil(seconds / 60)} min`;
  return `${Math.ceil(seconds / 3600)} h`;
}

/** Items a second, smoothed exponentially over what was seen. */
function rateMeter(startMs: number) {
  let last = { atMs: startMs, done: 0 };
  let perSecond: number | undefined;
  let advanced = { atMs: startMs, done: 0 };
  return (done: number, nowMs: number): number | undefined => {
    if (done > advanced.done) advanced = { atMs: nowMs, done };
    const elapsedMs = nowMs - last.atMs;
    if (elapsedMs >= rateEveryMs) {
      const newest = ((done - last.done) * 1_000) / elapsedMs;
      perSecond = perSecond === undefined ? newest : perSecond + rateSmoothing * (newest - perSecond);
      last = { atMs: nowMs, done };
    }
    return nowMs - advanced.atMs >= stalledMs ? undefined : perSecond;
  };
}

function figures({ done, total, note }: ProgressState, perSecond: number | undefined): string {
  const parts = [total === undefined ? `${done}` : `${done}/${total}`];
  if (perSecond !== undefined && perSecond > 0) {
    parts.push(perSecond < 10 ? `${perSecond.toFixed(1)}/s` : `${Math.round(perSecond)}/s`);
    if (total !== undefined && total > done) parts.push(`${remaining((total - done) / perSecond)} left`);
  }
  if (note !== undefined) parts.push(printable(note));
  return parts.join("  ");
}

/** So long nobody wonders what a command does. */
const unaskedMs = 1_000;

/** Progress of what mostly is over at once: shown when it takes longer, and to programs that read JSON on a terminal only. */
export function lateProgress(
  { stderr: stream, isTTY, color }: CliIo,
  isForPrograms: boolean | undefined,
  label: string,
): Progress | undefined {
  if (isForPrograms && !isTTY) return undefined;
  return createProgress({ stream, isTTY, color, label, now: () => performance.now(), silentMs: unaskedMs });
}

/** A progress bar on a terminal, plain lines elsewhere. Nothing is drawn by a timer: only `update` draws. */
export function createProgress(options: ProgressOptions): Progress {
  const { stream, isTTY, color, label, now, lineEveryMs = defaultLineEveryMs, silentMs = 0 } = options;
  const beganAtMs = now();
  const rate = rateMeter(beganAtMs);
  let state: ProgressState = { done: 0 };
  let isTold = false;
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  const isSilent = (nowMs: number) => drawnAtMs === Number.NEGATIVE_INFINITY && nowMs - beganAtMs < silentMs;
  let finished = false;
  let written: string | undefined;

  const share = () =>
    state.total === undefined || state.total === 0 ? undefined : Math.min(1, state.done / state.total);
  const percent = () => {
    const known = share();
    return known === undefined ? "" : `${String(Math.floor(known * 100)).padStart(3)}%  `;
  };
  /** @param columns of the bar with the blank behind it; none where there is no share, or no room */
  const bar = (columns: number) => {
    const known = share();
    const length = columns - 1;
    if (known === undefined || length < leastBarColumns) return "";
    const full = Math.round(known * length);
    const drawn = "█".repeat(full) + "░".repeat(length - full);
    return `${color ? styleText("cyan", drawn, { validateStream: false }) : drawn} `;
  };

  const text = (nowMs: number) => `${percent()}${figures(state, rate(state.done, nowMs))}`;
  const draw = (nowMs: number) => {
    // A line that is as long as the terminal is wide is broken, and what is broken is not drawn over.
    const room = (stream.columns ?? defaultColumns) - label.length - 2;
    const words = text(nowMs);
    const ofBar = Math.min(barColumns + 1, room - Math.min(words.length, leastTextColumns));
    const drawn = bar(ofBar);
    stream.write(`${clearLine}${label} ${drawn}${truncated(words, Math.max(1, drawn === "" ? room : room - ofBar))}`);
  };
  const show = (nowMs: number) => {
    drawnAtMs = nowMs;
    if (isTTY) return draw(nowMs);
    const line = text(nowMs).trimStart();
    // The same line again says nothing.
    if (line === written) return;
    written = line;
    stream.write(`${label} ${line}\n`);
  };

  return {
    update(next) {
      if (finished) return;
      isTold = true;
      state = next;
      const nowMs = now();
      if (!isSilent(nowMs) && nowMs - drawnAtMs >= (isTTY ? redrawEveryMs : lineEveryMs)) show(nowMs);
      else rate(state.done, nowMs);
    },
    log(line) {
      stream.write(isTTY && !finished ? `${clearLine}${line}\n` : `${line}\n`);
      if (isTTY && !finished) draw(now());
    },
    finish() {
      if (finished) return;
      finished = true;
      // There was nothing of it to do, however long the rest took.
      if (silentMs > 0 && !isTold) return;
      if (isSilent(now())) return;
      show(now());
      if (isTTY) stream.write("\n");
    },
  };
}
