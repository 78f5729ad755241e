import type { ErrorCode } from "../../events/error-kinds.ts";
import type { ScoutsError } from "../../events/errors.ts";
import type { ScoutId } from "../../events/ids.ts";
import type { SourceSees } from "../../events/sources/sees.ts";
import { type DeviceError, type DeviceErrorCode, isDeviceError, isKnownCode, sentenceOf } from "../errors.ts";
import type { SentenceValues } from "../exact-sentences.ts";
import type { LocalScout } from "../folders/local-scouts.ts";
import { wordsFor } from "../folders/scanner/reasons.ts";
import type { Sight } from "../sources/asked/see.ts";
import { type Failing, hasMoved, type Trouble, whyFailing } from "../sources/trouble.ts";

/**
 * A code as a tab is told of it. The page says it in the person's language where it has words for the code; `message` is the
 * sentence of the command line, which it says otherwise.
 */
export interface Told {
  readonly code: string;
  readonly message: string;
  /** Which of the code's exact sentences it is, and what that names (device/exact-sentences.ts). */
  readonly about?: string | undefined;
  readonly values?: SentenceValues | undefined;
}

/** A code with its sentence, which names nothing of the case. */
export const toldCode = (code: ErrorCode | DeviceErrorCode): Told => ({ code, message: sentenceOf(code) });

/** What a row has kept: why a file was left out, or a code, perhaps of a version that knew others. */
export const toldKeptIfAny = (code: string | null): Told | null =>
  code === null ? null : { code, message: wordsFor(code) ?? (isKnownCode(code) ? sentenceOf(code) : code) };

/** Why something was left out. */
export const toldReason = (reason: string): Told => ({ code: reason, message: wordsFor(reason) ?? reason });

/** The same of a code that may be there. */
export const toldIfAny = (code: ErrorCode | null): Told | null => (code === null ? null : toldCode(code));

/** An error with its own sentence, and what is exact about it where the page can say it in the person's language. */
export const toldError = (error: DeviceError | ScoutsError): Told => ({
  code: error.code,
  message: error.message,
  ...(isDeviceError(error) ? error.exact : {}),
});

/** What keeps a scout from its source, whether it is switched off for it, and since when; milliseconds since the epoch. */
export interface ToldTrouble {
  readonly id: ScoutId;
  readonly isOff: boolean;
  readonly since: number | null;
  readonly why: Told;
  /** Of what kind its source is, where that may be at another address now, which another scout is to read. */
  readonly movedSource: string | null;
}

/** A scout that is switched off, and why. `since` is in milliseconds since the epoch. */
export const toldTrouble = ({ id, offCode, offSince }: Trouble): ToldTrouble => ({
  id,
  isOff: true,
  since: offSince,
  why: toldCode(offCode),
  movedSource: null,
});
/** A scout that still runs but has failed for a while, and why. `since` is in milliseconds since the epoch. */
export const toldFailing = (failing: Failing): ToldTrouble => ({
  id: failing.id,
  isOff: false,
  since: failing.since,
  why: toldError(whyFailing(failing)),
  movedSource: hasMoved(failing) ? failing.sourceType : null,
});

/** What kept a folder from being read; the sentence was kept with the code, and names the path. */
export const toldTroubleOf = (trouble: LocalScout["trouble"]): Told | null =>
  trouble === null ? null : { code: trouble.code, message: trouble.sentence || trouble.code };

/** A folder's scout as the page has it, with its trouble in words. */
export const toldFolder = ({ trouble, ...folder }: LocalScout) => ({ ...folder, trouble: toldTroubleOf(trouble) });

/** What a scout sees, with why its source does not tell it of news. */
export const toldSees = (sees: SourceSees) => ({ ...sees, pushOff: toldIfAny(sees.pushCode) });
export type ToldSees = ReturnType<typeof toldSees>;

/** What a scout sees, or why nothing. */
export const toldSight = (sight: Sight | undefined): { sees: ToldSees | null; error: Told | null } => {
  if (sight === undefined) return { sees: null, error: null };
  return sight.isSeen ? { sees: toldSees(sight.sees), error: null } : { sees: null, error: toldError(sight.error) };
};
