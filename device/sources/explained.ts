import { isScoutsError, type ScoutsError } from "../../events/errors.ts";
import type { ScoutResponse } from "../../events/http/scouts.ts";
import { type UnreachedReason, unreachedReasons } from "../../events/sources/unreached.ts";
import { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";

/** What the cloud refuses with a fixed sentence, with the names a person knows. */
export function explained(error: unknown, others: readonly ScoutResponse[]): unknown {
  if (!isScoutsError(error)) return error;
  const cause = { cause: error };
  if (error.code === "source_in_use") {
    const other = others.find(({ id }) => id === error.data["scoutId"]);
    if (other === undefined && error.data["retryAfterMs"] !== undefined)
      return exactError("source_in_use", "adding", {}, cause);
    if (other === undefined) return new DeviceError("source_in_use", cause);
    return exactError("source_in_use", "named", { name: other.name }, cause);
  }
  if (error.code === "scout_deleting") {
    const other = others.find(({ id }) => id === error.data["scoutId"]);
    return other === undefined ? error : exactError("source_in_use", "removing", { name: other.name }, cause);
  }
  if (error.code === "source_unknown") {
    const { known } = error.data;
    if (typeof known !== "string") return new DeviceError("source_unknown", cause);
    return exactError("source_unknown", "known", { known }, cause);
  }
  if (error.code === "source_folder_unknown") {
    const { folders } = error.data;
    if (typeof folders !== "string") return new DeviceError("source_folder_unknown", cause);
    return exactError("source_folder_unknown", "named", { folders }, cause);
  }
  // The cloud's sentence is of a scout that looks by itself; here somebody waits for it.
  if (error.code === "source_unavailable") return whyUnreached(error) ?? new DeviceError("source_unavailable", cause);
  if (error.code === "invalid_request") return refusedField(String(error.data["where"] ?? ""), error);
  return error;
}

/** Why a source does not answer, where that is known. */
export function whyUnreached(error: ScoutsError): DeviceError | undefined {
  const { reason, status = "" } = error.data;
  const known = unreachedReasons.find((each) => each === reason);
  if (error.code !== "source_unavailable" || known === undefined) return undefined;
  return unreachedFor(known, String(status), error);
}

/** A source that was not reached for a reason. @param status what it answered, where that is the reason */
export const unreachedFor = (reason: UnreachedReason, status: string | number = "", cause?: ScoutsError): DeviceError =>
  exactError("source_unavailable", reason, { status: String(status) }, { cause });

/** Another account was chosen than the scout's: which is which, as far as the cloud told its owner. */
export function otherAccount(
  error: ScoutsError,
  { name, sourceType: source }: Pick<ScoutResponse, "name" | "sourceType">,
): DeviceError {
  const { expected: own, chosen } = error.data;
  const cause = { cause: error };
  if (typeof chosen !== "string") return exactError("source_account_other", "none", { name, source }, cause);
  if (typeof own !== "string") return exactError("source_account_other", "chosen", { name, chosen, source }, cause);
  return exactError("source_account_other", "both", { name, own, chosen, source }, cause);
}

/** Fields of which a sentence says what they should be; of any other its name has to do. */
const explainedFields = ["schedule", "autoTrash", "url", "host", "port", "path"] as const;

/** What a field of a source cannot be. @param where as a home names it, `settings.url`; "" for none in particular */
export function refusedField(where: string, cause?: ScoutsError): DeviceError {
  // Of several the first; of one in a list the list.
  const [field = ""] = where.replace(/^settings\./, "").split(/, |\./);
  const more = { data: { field }, cause };
  if (field === "" || field === "settings") return exactError("usage", "settings", {}, more);
  const about = explainedFields.find((each) => each === field);
  return about === undefined ? exactError("usage", "field", { field }, more) : exactError("usage", about, {}, more);
}

interface Range {
  /** Undefined where there is no such edge. */
  readonly least: number | undefined;
  readonly most: number | undefined;
}

/** What a whole number of a source's settings has to be. */
export function refusedNumber(field: string, { least, most }: Range): DeviceError {
  if (explainedFields.some((each) => each === field)) return refusedField(field);
  const more = { data: { field } };
  if (least === undefined) return exactError("usage", "whole", {}, more);
  if (most === undefined) return exactError("usage", "wholeFrom", { least }, more);
  return exactError("usage", "wholeBetween", { least, most }, more);
}
