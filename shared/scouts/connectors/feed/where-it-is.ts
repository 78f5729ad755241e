import type { ErrorCode } from "../../../../events/error-kinds.ts";
import { isScoutsError } from "../../../../events/errors.ts";

/** What an address may fail with that a feed has left: its name lapses, or becomes somebody else's. */
const left: ReadonlySet<ErrorCode> = new Set([
  "source_unavailable",
  "source_gone",
  "source_no_feed",
  "source_unreadable",
  "source_leads_round",
  "source_wants_password",
  "source_address_refused",
]);

/**
 * Reads a feed where it was added, and where that fails, where it has moved to for good (RFC 9110 §15.4.2) when that address still said
 * so. As long as the old one leads there it is asked: who redirects once, by mistake or in a network that is left again, has moved nothing.
 *
 * @param moved where it has moved to, as far as that is known
 * @throws what `read` throws
 */
export async function whereItIs<T>(
  read: (url: string) => Promise<T>,
  url: string,
  moved: () => Promise<string | undefined>,
): Promise<T> {
  try {
    return await read(url);
  } catch (error) {
    const hasLeft = isScoutsError(error) && left.has(error.code);
    const at = hasLeft ? await moved() : undefined;
    if (at === undefined) throw error;
    return read(at);
  }
}
