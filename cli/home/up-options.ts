/** Which of a mailbox's messages are looked at; what is not chosen waits for a run that chooses it. */
export interface LookAt {
  /** Only messages dated at this time or later, epoch milliseconds. */
  readonly sinceMs?: number;
  /** Only so many, the newest by date. */
  readonly limit?: number;
  /** Only messages that carry one of these labels. */
  readonly labels?: readonly string[];
}

/** What `scouts up` is asked to do; the composition itself is cli/up/up.ts. */
export interface UpOptions {
  /** An mbox file, a Maildir or a folder of .eml; when absent the one the home was begun with, at first the built-in sample. */
  readonly mailbox?: string;
  /** Which of its messages; everything received when absent. */
  readonly lookAt?: LookAt;
  /** The data folder, absolute. */
  readonly dataFolder: string;
  /** Loopback port of the gateway; any free one when absent. */
  readonly port?: number;
  /** Drain the mailbox and end, instead of staying up. */
  readonly once: boolean;
  /** End with one JSON object on the last line of stdout. */
  readonly json: boolean;
  /** Seeds the order of the hostile home. */
  readonly seed?: number;
  /** Duplicate, reorder, throttle and crash on purpose. */
  readonly hostile: boolean;
}

/** The terminal, or what stands in for it. */
export interface CliIo {
  readonly stdout: NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };
  readonly stderr: NodeJS.WritableStream & { readonly columns?: number };
  /** Whether stdout is a terminal. */
  readonly isTTY: boolean;
  /** Whether stdout takes colours (a terminal, and `NO_COLOR` is not set). */
  readonly color: boolean;
  /** Aborted by the first Ctrl-C or SIGTERM: stop cleanly. */
  readonly signal: AbortSignal;
}
