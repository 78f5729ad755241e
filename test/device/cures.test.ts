import { expect, test } from "vitest";
import { failureOf } from "../../cli/failure.ts";
import { DeviceError, type DeviceErrorCode, deviceErrorKinds, errorOf, isKnownCode } from "../../device/errors.ts";
import { type ErrorCode, errorCodes } from "../../events/error-kinds.ts";

/** What somebody does, or that nothing is to be done: it goes on by itself. */
const cure =
  /(?:connect|resume) (?:it|again|them)|send less|is (?:read|taken|dismissed)|operator|`scouts |scouts [a-z]+|\bSCOUTS_|--[a-z]|again|\b(?:add|answer|ask|attach|bring|leave|name|use|check|choose|free|give|goes on|look|mend|remove|restore|run|save|see|set|shorten|sign in|start|take|topped?|top|try|undo|update|wait|write|correct|puts|renewed|name the right|history lists|names? another|need s3)\b/i;

/** What is no failure to mend: it was asked for, or is what the command was to find out. */
const noFailure: readonly DeviceErrorCode[] = ["interrupted", "attention_needed"];
/** Between devices, functions and queues: no command ends on one. */
const neverHere: readonly ErrorCode[] = [
  ...(["invalid_message", "unknown_frame", "method_not_allowed", "unsupported_media_type"] as const),
  ...(["idempotency_conflict", "upload_missing", "index_ended", "run_unknown", "run_ended", "step_replayed"] as const),
  ...(["state_invalid", "action_unknown", "attempts_exhausted", "interrupted", "internal"] as const),
];

const codes = [...Object.keys(deviceErrorKinds), ...errorCodes.filter((code) => !neverHere.includes(code))]
  .filter((code): code is DeviceErrorCode | ErrorCode => isKnownCode(code))
  .filter((code) => !noFailure.some((each) => each === code));

test("nothing silent: each code says at a terminal what to do about it, to programs too", () => {
  const without = codes.filter((code) => {
    const { line = "", json } = failureOf(errorOf(code), { keep: () => undefined, debug: false });
    return !cure.test(line) || !cure.test(`${json?.message} ${json?.recovery}`);
  });
  expect(without).toEqual([]);
});

test("who adds a source that asks for patience is not told that it is added later by itself", () => {
  const { line } = failureOf(errorOf("source_rate_limited"), { keep: () => undefined, debug: false });
  expect(line).toMatch(/\n {2}.*run the same command again/);
});

test("a sentence that is more exact says itself what to do", () => {
  const error = new DeviceError("task_unknown", { sentence: "There is no task 7; `scouts task list` shows them." });
  expect(failureOf(error, { keep: () => undefined, debug: false })).toMatchObject({
    line: `scouts: ${error.message} (task_unknown)`,
    json: { message: error.message },
  });
});
