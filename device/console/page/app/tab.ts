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

/** Trades the code of the launch, which stands behind the address's `#`, for a token; the code leaves the address at once. */
export async function signIn(): Promise<void> {
  const [, code] = /^#code=([\w-]{43})$/.exec(location.hash) ?? [];
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  const body = JSON.stringify({ code });
  const headers = { "content-type": "application/json" };
  const answer = await fetch("/api/session", { method: "POST", headers, body });
  if (!answer.ok) return;
  const given: { token: string } = await answer.json();
  token.write(given.token);
}
