import { kept } from "./kept.ts";

/** This tab's token. `sessionStorage` is the tab's own: another tab is opened by `scouts console` again. */
const token = kept(() => sessionStorage, "scouts.token");

/** The token, or null when the tab is signed out. */
export const tokenOfTab = (): string | null => token.read();

const listeners = new Set<() => void>();

/** The device takes the token no more. */
export function forgetToken(): void {
  token.write(null);
  for (const listener of listeners) listener();
}

/** Hears of the token's end. @returns what stops that */
export function onTokenEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A device of this machine answers within milliseconds; one that does not at all is not waited for. */
export const patienceMs = 10_000;

/**
 * Trades the code of the launch, which stands behind the address's `#`, for a token; the code leaves the address at once. Without an
 * answer the tab stays as it was: the page is drawn, and says that it is not signed in and what to do.
 */
export async function signIn(): Promise<void> {
  const [, code] = /^#code=([\w-]{43})$/.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  const body = JSON.stringify({ code });
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer = await fetch("/api/session", { method: "POST", headers, body, signal });
    if (!answer.ok) return;
    const given: { token: string } = await answer.json();
    token.write(given.token);
  } catch (error) {
    console.error("The device has not answered the code of the launch.", error);
  }
}
