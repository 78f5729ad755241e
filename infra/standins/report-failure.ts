import { stackFrames } from "../../shared/privacy/stack-frames.ts";

/** Controls, escape sequences among them, and what else is no character of a text. */
const hostile = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu;
/** What shows nothing of itself, and may turn around what does. */
const invisible = /\p{Cf}/gu;

/**
 * Tells the person at the terminal in a sentence what they alone can mend. It may name files, and whoever named those may have meant
 * the terminal: it is one line of text, whatever stands in it.
 */
export function reportTrouble(sentence: string): void {
  const line = sentence.replace(invisible, "").replace(/\s+/gu, " ").replace(hostile, "\ufffd");
  process.stderr.write(`${line}\n`);
}

/**
 * Says on stderr what went wrong in a stand-in: class and place only, because messages of errors quote content; SQLite's words and the
 * system's codes do not.
 */
export function reportFailure(what: string, error: unknown): void {
  const words = error instanceof Error ? safeWords(error) : "";
  const name = error instanceof Error ? `${error.name}${words}` : typeof error;
  const places = error instanceof Error ? stackFrames(error).map((frame) => `    ${frame}`) : [];
  process.stderr.write(`stand-in: ${what}: ${[name, ...places.slice(0, 5)].join("\n")}\n`);
}

function safeWords(error: Error): string {
  if ("errstr" in error) return ` (${error.errstr})`;
  return "syscall" in error && "code" in error ? ` (${error.code})` : "";
}
