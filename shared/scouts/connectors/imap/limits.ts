import type { SourceLimits } from "../connector.ts";

/**
 * What is asked of a mailbox in a minute at most. Servers count connections and bytes, and few say how many: Gmail takes
 * 15 connections and 2,500 MB a day, Dovecot ten connections of a user from one address by default
 * (`mail_max_userip_connections`), Yahoo five. A unit is one item read; a page is a selection, a search and some hundred
 * header lines, putting an item away looks into two more folders.
 */
export const imapLimits: SourceLimits = {
  unitsPerMinute: 1_200,
  costs: { list: 5, read: 1, watch: 0, archive: 6 },
};

/** @param unitsPerMinute as a deployment's settings say it */
export const imapLimitsOf = (unitsPerMinute: string): SourceLimits => ({
  ...imapLimits,
  unitsPerMinute: Number(unitsPerMinute),
});

/**
 * Longest that one task may take on a connection, opening it included: a server may answer a byte a second. Less than
 * who asks for it has left: a run of the sync keeps 20 seconds back, a call of another function waits for 18.
 */
export const taskTimeoutMs = 15_000;
/** Until a server has greeted. */
export const greetingTimeoutMs = 10_000;
/** Longest that nothing comes on a connection, later than a greeting that does not, so that it is known which it was. */
export const silenceTimeoutMs = 12_000;

/** What one response may hold: a part of a message, the structure of one, the UIDs of a page. */
export const responseLimits = {
  maxLineLength: 4 * 1024 * 1024,
  maxLiteralSize: 2 * 1024 * 1024,
  maxResponseSize: 6 * 1024 * 1024,
} as const;

/** Messages on a page of a listing: header lines of so many come within a task's time from slow servers too. */
export const pageSize = 200;
/** Of one header; real ones have some kilobytes. */
export const maxHeaderBytes = 65_536;
/** Of the texts of one message: HTML of real letters has some tens of kilobytes. */
export const maxTextBytes = 400_000;
/** Of the texts of one message when a snippet is all that is wanted of it. */
export const maxSnippetBytes = 16_000;
