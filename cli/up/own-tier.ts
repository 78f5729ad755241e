import type { UserId } from "../../events/ids.ts";
import type { Home } from "../../infra/local/home.ts";
import { openLedger } from "../../infra/local/open-ledger.ts";
import { systemClock } from "../../shared/ports/clock.ts";
import { changeTier } from "../../shared/scouts/lifecycle/change-tier.ts";

/**
 * Whoever runs the home is its operator as well, and pays for the model if anybody does: nothing here is to be rationed,
 * and a month's free allowance is less than two thousand mails.
 */
export async function liftCaps(home: Home, owner: UserId): Promise<void> {
  const { ledger, close } = openLedger(home);
  try {
    await changeTier({ ledger, clock: systemClock }, owner, "power");
  } finally {
    close();
  }
}
