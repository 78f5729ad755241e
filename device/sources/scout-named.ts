import type { ScoutResponse } from "../../events/http/scouts.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { called } from "../errors/called.ts";
import { severalCalled } from "../errors/several-called.ts";
import { DeviceError } from "../errors.ts";

/** Characters of an id behind its `sct_` that name a scout at least: fewer would be a slip of the finger. */
const shortestIdPrefix = 4;

/** The address of a scout at the HTTP API. */
export const pathOf = (id: string): string => `/api/v1/scouts/${encodeURIComponent(id)}`;

/**
 * The scout a person names: by its whole id, else by its name in any case, else by the beginning of its id, with or
 * without `sct_`.
 *
 * @throws DeviceError `scout_unknown` naming those there are; `usage` when several are meant
 */
export function scoutNamed<T extends { readonly id: string; readonly name: string }>(
  all: readonly T[],
  text: string,
): T {
  const wanted = text.trim().toLowerCase();
  const exact = all.find(({ id }) => id.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  const named = all.filter(({ name }) => name.toLowerCase() === wanted);
  const meant = named.length > 0 ? named : all.filter(({ id }) => beginsId(id, wanted));
  const [found, another] = meant;
  if (another !== undefined)
    throw severalCalled(
      "scouts",
      text,
      meant.map(({ id }) => ({ id })),
    );
  if (found === undefined) throw new DeviceError("scout_unknown", { sentence: unknown(all, text) });
  return found;
}

function unknown(all: readonly { readonly name: string }[], text: string): string {
  if (all.length === 0) return `There is no scout ${called(text)}, nor any other; scouts add makes one.`;
  return `There is no scout ${called(text)}. There are: ${all.map(({ name }) => name).join(", ")}.`;
}

function beginsId(id: string, wanted: string): boolean {
  const bare = wanted.replace(/^sct_/, "");
  return bare.length >= shortestIdPrefix && id.toLowerCase().startsWith(`sct_${bare}`);
}

/** Asks for every scout and finds the one that is named. @throws as {@link scoutNamed} */
export async function findScout(api: CloudApi, text: string): Promise<ScoutResponse> {
  return scoutNamed(await listScouts(api), text);
}
