/** Where a page of proposals begins, and what has to be begun with next time for the sake of the pages before it. */
export interface PullCursor {
  /** After this entry; from the beginning without one. */
  readonly after?: string;
  /** Where the first item lies that had to wait: digits of a time. */
  readonly held?: string;
}

const withHeld = /^(?<held>\d{15})~(?<after>.+)$/;

/**
 * Reads what a device hands back: the `next` of a page, or a `resume`. An entry has `#` after the digits of its time, so that
 * nothing else looks like a place that is held.
 */
export function readPullCursor(text: string | undefined): PullCursor {
  if (text === undefined) return {};
  const { held, after } = withHeld.exec(text)?.groups ?? {};
  return held === undefined || after === undefined ? { after: text } : { after, held };
}

/** The `next` of a page. The device keeps the `resume` of the last page only, so each page hands on what the first said. */
export function writePullCursor(last: string, held: string | undefined): string {
  return held === undefined ? last : `${held}~${last}`;
}
