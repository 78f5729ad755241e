import { aboutHomeOf } from "./about-home.ts";
import type { Check } from "./checks.ts";
import { checkMail } from "./running-checks.ts";

/**
 * What keeps mail on the machine of a data folder's home from being read, with what to do; undefined where all of it is read, and where
 * no home runs there.
 *
 * @throws DeviceError as {@link aboutHomeOf}
 */
export async function mailTroubleOf(dataFolder: string): Promise<Check | undefined> {
  const about = await aboutHomeOf(dataFolder);
  const check = about === undefined ? undefined : checkMail(about);
  return check?.state === "fail" ? check : undefined;
}
