import type { LoggedEvent } from "../../contract.ts";
import { tabHeaders } from "./api.ts";

/** How the device is heard: `away`, it does not answer; `refused`, it does not know this tab. */
export type StreamState = "listening" | "away" | "refused";

/** The device sends a line every fifteen seconds at least. */
const silenceMs = 40_000;
const longestPauseMs = 10_000;

interface Listener {
  readonly onLine: (line: LoggedEvent) => void;
  readonly onState: (state: StreamState) => void;
  readonly signal: AbortSignal;
}

/** Listens to the device until `signal` is aborted, and goes on where it was after every break. */
export async function listen({ onLine, onState, signal }: Listener): Promise<void> {
  let after = "new";
  for (let tries = 0; !signal.aborted; tries += 1) {
    const outcome = await read(after, signal, (line) => {
      tries = 0;
      after = line.at;
      onState("listening");
      onLine(line);
    });
    if (signal.aborted) return;
    onState(outcome);
    if (outcome === "refused") return;
    await pause(Math.min(250 * 2 ** tries, longestPauseMs), signal);
  }
}

async function read(
  after: string,
  signal: AbortSignal,
  onLine: (line: LoggedEvent) => void,
): Promise<"away" | "refused"> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const either = AbortSignal.any([signal, silence.signal]);
    const answer = await fetch(`/api/events?after=${encodeURIComponent(after)}`, {
      headers: tabHeaders(),
      signal: either,
    });
    if (answer.status === 401) return "refused";
    const reader = answer.ok ? answer.body?.pipeThrough(new TextDecoderStream()).getReader() : undefined;
    let rest = "";
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done || value === undefined) return "away";
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) onLine(JSON.parse(part));
    }
  } catch (error) {
    // No answer, a cut or silent stream, one of something else: whichever it is, the next try begins where this one was.
    if (error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError) return "away";
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
