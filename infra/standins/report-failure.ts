import { stackFrames } from "../../shared/privacy/stack-frames.ts";

/** Tells the person at the terminal in a sentence what they alone can mend. */
export function reportTrouble(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Says on stderr what went wrong in a stand-in: class and place only, because messages of errors quote content; SQLite's words do not. */
export function reportFailure(what: string, error: unknown): void {
  const words = error instanceof Error && "errstr" in error ? ` (${error.errstr})` : "";
  const name = error instanceof Error ? `${error.name}${words}` : typeof error;
  const places = error instanceof Error ? stackFrames(error).map((frame) => `    ${frame}`) : [];
  process.stderr.write(`stand-in: ${what}: ${[name, ...places.slice(0, 5)].join("\n")}\n`);
}
