import type { SessionTask } from "../../../events/agent-tools/mcp-tools.ts";
import type { Approver } from "../policy/approver.ts";
import type { Backend } from "../policy/profiles.ts";
import { DisclosedLines } from "./disclosed-lines.ts";
import { type Allowance, defaultLimits, type SessionLimits, type Spending } from "./limits.ts";

/** What a session has seen of a file. */
export interface SeenFile {
  readonly hash: string;
  /** The content, while it is kept: the base of a three-way merge. */
  readonly bytes: Uint8Array;
  /** Lines seen, 1-based and inclusive, merged; all of them when the whole file was given. */
  readonly ranges: readonly (readonly [number, number])[];
  readonly whole: boolean;
}

/** A change of this session that no person has looked at yet. */
export interface UncommittedChange {
  readonly path: string;
  /** Before the session's first change of it; null: it was not there. */
  readonly originalHash: string | null;
  readonly versionId: string;
}

export interface SessionOptions {
  readonly id: string;
  /** Who calls: a model's or program's name, for history and audit. */
  readonly caller: string;
  readonly backend?: Backend;
  /** What this session can take at most, where that is less than what the person allows. */
  readonly limits?: Partial<SessionLimits>;
  /** A person at their own machine, whose edits may name lines with credentials. Default false. */
  readonly seesCredentials?: boolean;
  /** The person themselves, from whom `.scoutsignore` keeps nothing. Default false. */
  readonly seesKept?: boolean;
  /** Every change is asked about, whatever rules allow: the caller also reads what strangers wrote. Default false. */
  readonly asksForWrites?: boolean;
  /**
   * Whole texts are edited at a page or in another program, which show the conflict themselves: an edit is made to exactly the
   * content it names or not at all, never merged, and lines that are given back with the mark of a credential keep it.
   * Default false.
   */
  readonly isEditor?: boolean;
  /** Every tool that changes files is denied. Default false. */
  readonly readsOnly?: boolean;
  /** Who is asked in this session, where that is not who is asked in all of them. */
  readonly approver?: Approver;
}

const maxRecentReads = 50;
/** Contents kept as merge bases. The files themselves stay known when their content is let go. */
const maxKeptBytes = 32 * 1024 * 1024;

/** One model's work on one project: what it may still use, what it has seen and has changed. */
export class AccessSession {
  readonly id: string;
  readonly caller: string;
  readonly backend: Backend;
  readonly limits: SessionLimits;
  readonly seesCredentials: boolean;
  readonly seesKept: boolean;
  readonly asksForWrites: boolean;
  readonly isEditor: boolean;
  readonly readsOnly: boolean;
  readonly approver: Approver | undefined;
  readonly #spent: Record<Allowance, number> = { calls: 0, bytesRead: 0, tokensRead: 0, writes: 0 };
  readonly #extra: Record<Allowance, number> = { calls: 0, bytesRead: 0, tokensRead: 0, writes: 0 };
  readonly #seen = new Map<string, SeenFile>();
  readonly #given = new Map<string, DisclosedLines>();
  readonly #recentReads: string[] = [];
  readonly #pendingEdits = new Map<string, { readonly path: string; readonly diff: string }>();
  readonly #uncommitted = new Map<string, UncommittedChange>();
  #tasks: readonly SessionTask[] = [];

  constructor(options: SessionOptions) {
    const { id, caller, backend = "cloud", limits = {}, approver } = options;
    const {
      seesCredentials = false,
      seesKept = false,
      asksForWrites = false,
      isEditor = false,
      readsOnly = false,
    } = options;
    this.id = id;
    this.caller = caller;
    this.backend = backend;
    this.seesCredentials = seesCredentials;
    this.seesKept = seesKept;
    this.asksForWrites = asksForWrites;
    this.isEditor = isEditor;
    this.readsOnly = readsOnly;
    this.approver = approver;
    this.limits = { ...defaultLimits, ...limits };
  }

  get spent(): Readonly<Spending> {
    return { ...this.#spent };
  }

  /** Whether `amount` more would go beyond what is allowed. */
  wouldExceed(allowance: Allowance, amount: number): boolean {
    return this.#spent[allowance] + amount > this.limits[allowance] + this.#extra[allowance];
  }

  spend(allowance: Allowance, amount: number): void {
    this.#spent[allowance] += amount;
  }

  /** As much again as the session was given. */
  extend(allowance: Allowance): void {
    this.#extra[allowance] += this.limits[allowance];
  }

  /** What the session has been given of a file, whichever tool gave it. */
  given(path: string): DisclosedLines {
    const given = this.#given.get(path) ?? new DisclosedLines();
    this.#given.set(path, given);
    return given;
  }

  /** A file that goes on under another name is no new one. */
  noteMove(from: string, to: string): void {
    this.#given.set(to, this.given(from));
  }

  seen(path: string): SeenFile | undefined {
    return this.#seen.get(path);
  }

  /** @param range the lines that were given; left out when all were */
  noteRead(
    path: string,
    file: { readonly hash: string; readonly bytes: Uint8Array },
    range?: readonly [number, number],
  ): void {
    const before = this.#seen.get(path);
    const known = before?.hash === file.hash ? before : undefined;
    const ranges = range === undefined ? [] : merged([...(known?.ranges ?? []), range]);
    const whole = range === undefined || known?.whole === true;
    this.#seen.delete(path);
    this.#seen.set(path, { hash: file.hash, bytes: file.bytes, ranges: whole ? [] : ranges, whole });
    this.#forgetOldest();
    const at = this.#recentReads.indexOf(path);
    if (at !== -1) this.#recentReads.splice(at, 1);
    this.#recentReads.unshift(path);
    this.#recentReads.splice(maxRecentReads);
  }

  /** After the session's own change it knows the new content; null: it is gone. */
  noteWrite(
    path: string,
    file: { readonly hash: string; readonly bytes: Uint8Array } | null,
    change: Omit<UncommittedChange, "path">,
  ): void {
    if (file === null) this.#seen.delete(path);
    else this.#seen.set(path, { ...file, ranges: [], whole: true });
    const first = this.#uncommitted.get(path);
    const originalHash = first === undefined ? change.originalHash : first.originalHash;
    if (originalHash === (file?.hash ?? null)) this.#uncommitted.delete(path);
    else this.#uncommitted.set(path, { path, originalHash, versionId: change.versionId });
  }

  propose(id: string, edit: { readonly path: string; readonly diff: string }): void {
    this.#pendingEdits.set(id, edit);
  }

  settle(id: string): void {
    this.#pendingEdits.delete(id);
  }

  /** What it is about to do, in its own words. */
  get tasks(): readonly SessionTask[] {
    return this.#tasks;
  }

  set tasks(tasks: readonly SessionTask[]) {
    this.#tasks = [...tasks];
  }

  /** Files whose content it was given last, the latest first. */
  openBuffers(): (SeenFile & { readonly path: string })[] {
    return this.#recentReads.flatMap((path) => {
      const seen = this.#seen.get(path);
      return seen === undefined ? [] : [{ path, ...seen }];
    });
  }

  /** Every file that {@link describe} can name. */
  paths(): ReadonlySet<string> {
    const pending = [...this.#pendingEdits.values()].map(({ path }) => path);
    return new Set([...this.#recentReads, ...pending, ...this.#uncommitted.keys()]);
  }

  /** Everything about the session but contents. @param mayShow whose names and changes: rules may have changed since */
  describe(mayShow: (path: string) => boolean = () => true) {
    return {
      id: this.id,
      caller: this.caller,
      backend: this.backend,
      spent: this.spent,
      recentReads: this.#recentReads.filter(mayShow),
      tasks: this.#tasks,
      pendingEdits: [...this.#pendingEdits].map(([id, edit]) => ({ id, ...edit })).filter(({ path }) => mayShow(path)),
      uncommitted: [...this.#uncommitted.values()]
        .filter(({ path }) => mayShow(path))
        .map(({ path, versionId, originalHash }) => ({ path, versionId, isNew: originalHash === null })),
    };
  }

  #forgetOldest(): void {
    let kept = 0;
    for (const [path, { bytes }] of [...this.#seen].reverse()) {
      kept += bytes.length;
      if (kept > maxKeptBytes && kept > bytes.length) this.#seen.delete(path);
    }
  }
}

function merged(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const result: (readonly [number, number])[] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last !== undefined && start <= last[1] + 1) result.splice(-1, 1, [last[0], Math.max(last[1], end)]);
    else result.push([start, end]);
  }
  return result;
}
