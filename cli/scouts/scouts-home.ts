import { Argument } from "commander";
import type { CloudApi } from "../../device/connect/cloud-api.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { listScouts } from "../../device/connect/list-scouts.ts";
import { DeviceError } from "../../device/errors.ts";
import type { ScoutResponse } from "../../events/http.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";

const scoutsPath = "/api/v1/scouts";
/** Characters of an id behind its `sct_` that name a scout at least: fewer would be a slip of the finger. */
const shortestIdPrefix = 4;

/** Finds the home of this data folder for one command. @throws DeviceError `home_not_running`, `login_needed` */
export async function withHome(
  context: CliContext,
  options: CommonOptions,
  work: (api: CloudApi, output: Output) => Promise<void>,
): Promise<void> {
  await work(homeOf(dataFolderOf(context, options), context.now), outputOn(context.io));
}

export const scoutArgument = (): Argument => new Argument("<scout>", "name of a scout, or the beginning of its id");

export const pathOf = (id: string): string => `${scoutsPath}/${encodeURIComponent(id)}`;

/**
 * The scout a person names: by its whole id, else by its name in any case, else by the beginning of its id, with or
 * without `sct_`.
 *
 * @throws DeviceError `scout_unknown`; `usage` when several are meant
 */
export function scoutNamed<T extends { readonly id: string; readonly name: string }>(
  all: readonly T[],
  text: string,
): T {
  const wanted = text.trim().toLowerCase();
  const exact = all.find(({ id }) => id.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  const named = all.filter(({ name }) => name.toLowerCase() === wanted);
  const [found, another] = named.length > 0 ? named : all.filter(({ id }) => beginsId(id, wanted));
  if (another !== undefined) {
    throw new DeviceError("usage", { sentence: `Several scouts are called ${text}; give more of the id.` });
  }
  if (found === undefined) throw new DeviceError("scout_unknown", { sentence: `There is no scout ${text}.` });
  return found;
}

function beginsId(id: string, wanted: string): boolean {
  const bare = wanted.replace(/^sct_/, "");
  return bare.length >= shortestIdPrefix && id.toLowerCase().startsWith(`sct_${bare}`);
}

/** Asks for every scout and finds the one that is named. @throws as {@link scoutNamed} */
export async function findScout(api: CloudApi, text: string): Promise<ScoutResponse> {
  return scoutNamed(await listScouts(api), text);
}
