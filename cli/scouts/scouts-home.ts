import { Argument } from "commander";
import { type ScoutResponse, scoutListResponse } from "../../events/http.ts";
import { askCloud, type CloudApi } from "../../device/connect/cloud-api.ts";
import { homeOf } from "../../device/connect/deployed-home.ts";
import { DeviceError } from "../../device/errors.ts";
import { type CliContext, type CommonOptions, dataFolderOf } from "../context.ts";
import { type Output, outputOn } from "../output/output.ts";

const scoutsPath = "/api/v1/scouts";
const pageSize = 100;

/** Finds the home of this data folder for one command. @throws DeviceError `home_not_running`, `login_needed` */
export async function withHome(
  context: CliContext,
  options: CommonOptions,
  work: (api: CloudApi, output: Output) => Promise<void>,
): Promise<void> {
  await work(homeOf(dataFolderOf(context, options)), outputOn(context.io));
}

export const scoutArgument = (): Argument => new Argument("<scout>", "id or name of a scout");

export const pathOf = (id: string): string => `${scoutsPath}/${encodeURIComponent(id)}`;

/** Every scout, page by page. */
export async function listScouts(api: CloudApi): Promise<ScoutResponse[]> {
  const all: ScoutResponse[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await askCloud(api, "GET", `${scoutsPath}?limit=${pageSize}${query}`, scoutListResponse);
    all.push(...page.scouts);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

/** Finds a scout by its id or, when that is unambiguous, by its name. @throws DeviceError `scout_unknown`, `usage` */
export async function findScout(api: CloudApi, text: string): Promise<ScoutResponse> {
  const all = await listScouts(api);
  const exact = all.find(({ id }) => id === text);
  if (exact !== undefined) return exact;
  const wanted = text.trim().toLowerCase();
  const [found, another] = all.filter(({ name }) => name.toLowerCase() === wanted);
  if (another !== undefined) {
    throw new DeviceError("usage", { sentence: `Several scouts are called ${text}; give the id.` });
  }
  if (found === undefined) throw new DeviceError("scout_unknown", { sentence: `There is no scout ${text}.` });
  return found;
}
