import { errorKinds } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { age, ago } from "../age.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { quoted } from "../errors/quoted.ts";
import { isDeviceError } from "../errors.ts";
import { withMissing } from "../sources/asked/see.ts";
import { healthOfSource } from "../sources/control-source.ts";
import { stateOf } from "../sources/state.ts";
import {
  causeOf,
  causeOfFailing,
  commandFor,
  type Failing,
  failingIn,
  foldersCommandFor,
  type Trouble,
  troublesIn,
  vanishedIn,
  whyFailing,
  wordFor,
} from "../sources/trouble.ts";
import { type KnownScoutTable, vanishedCode } from "../store/tables/known-scouts.ts";
import type { Check } from "./checks.ts";
import { found } from "./findings.ts";

/** A check that failed for each scout that is off, as far as this device knows, and a note of each that the home does not know. */
export function checkKnownScouts(off: readonly Trouble[], nowMs: number): Check[] {
  return off.map((trouble) => {
    const { id, name, offCode, offSince } = trouble;
    if (offCode === vanishedCode) {
      const gone = { name: name ?? id, command: commandFor(trouble) };
      return { name: "scout", state: "note", ...found("scout_vanished", gone) };
    }
    const values = { name: name ?? id, why: causeOf(offCode), command: commandFor(trouble) };
    const why = { code: offCode, message: errorKinds[offCode].sentence };
    const code = offCode === "source_forbidden" ? "scout_forbidden" : "scout_off";
    if (offSince === null) return { name: "scout", state: "fail", ...found(code, values, { why }) };
    const stood = ago(offSince, nowMs);
    const since = { since: offSince, stood };
    return { name: "scout", state: "fail", ...found(`${code}_since`, { ...values, ...since }, { why }) };
  });
}

/** A check that failed for each scout that cannot look at its source. */
function checkFailing(failing: readonly Failing[], nowMs: number): Check[] {
  return failing.map((each) => {
    const { id, name, code, since, missing = [] } = each;
    if (missing.length > 0) {
      const values = { name, folders: missing.join(", "), reason: code, command: foldersCommandFor({ id, name }) };
      return { name: "scout", state: "fail", ...found("scout_folders", values) };
    }
    const stood = since === null ? "now" : age(since, nowMs);
    const why = { code, message: whyFailing(each).message };
    const command = `scouts health ${wordFor({ id, name })}`;
    const values = { name, why: causeOfFailing(each), reason: code, command };
    const finding =
      since === null || stood === "now"
        ? found("scout_failing", values, { why })
        : found("scout_failing_since", { ...values, since, stood }, { why });
    return { name: "scout", state: "fail", ...finding };
  });
}

/**
 * What the home cannot read of what it keeps about the person's account, their tokens and the model. Each scout's health names
 * all of it, so one is asked whose own row can be read.
 */
async function checkRows(home: CloudApi, scouts: readonly ScoutResponse[]): Promise<Check[]> {
  const asked = scouts.find(({ disabledCode }) => disabledCode !== "row_damaged");
  if (asked === undefined) return [];
  const { damaged = [] } = await healthOfSource(home, asked.id).catch((error: unknown) => {
    // Removed, or asked too often, since the list came: `scouts health` says why.
    if (!isScoutsError(error)) throw error;
    return { damaged: [] };
  });
  const rows = damaged.filter((each) => each !== "model");
  const values = { rows: rows.join(", "), reason: "row_damaged" };
  return [
    ...(rows.length === 0 ? [] : [{ name: "home", state: "fail", ...found("rows_damaged", values) } as const]),
    ...(damaged.includes("model") ? [checkModelRow()] : []),
  ];
}

/** What is said where a home cannot read what it has noted of its language model. */
export const checkModelRow = (): Check => ({
  name: "home",
  state: "fail",
  ...found("model_row_damaged", { reason: "row_damaged" }),
});

/** How the scouts are, asked of the home. @param withKnown what the device knows of its scouts is kept up to date by it */
export async function checkScouts(
  home: CloudApi,
  nowMs: number,
  withKnown: <T>(work: (known: KnownScoutTable) => T) => T | undefined,
): Promise<Check[]> {
  try {
    const scouts = await listScouts(home);
    const known = withKnown((table) => {
      table.replace(scouts);
      return table.off();
    });
    const failing = await withMissing(home, failingIn(scouts));
    const off = [...troublesIn(scouts, known), ...vanishedIn(known ?? [])];
    const rows = await checkRows(home, scouts);
    const kept = [...checkKnownScouts(off, nowMs), ...checkFailing(failing, nowMs), ...rows];
    if (kept.length > 0) return kept;
    const working = scouts.filter((scout) => stateOf(scout).state === "watching").length;
    return [{ name: "scouts", state: "ok", ...found("scouts_ok", { working, total: scouts.length }) }];
  } catch (error) {
    if (!isDeviceError(error) && !isScoutsError(error)) throw error;
    return [{ name: "scouts", state: "fail", ...found("scouts_unasked", {}, { why: quoted(error) }) }];
  }
}
