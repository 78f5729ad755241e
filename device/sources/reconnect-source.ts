import { isScoutsError, ScoutsError } from "../../events/errors.ts";
import { type ScoutResponse, seesResponse } from "../../events/http/scouts.ts";
import type { SourceSettings } from "../../events/sources/settings.ts";
import { askCloud, type CloudApi } from "../connect/cloud-api.ts";
import { connectGmail } from "../connect/connect-gmail.ts";
import { listScouts } from "../connect/list-scouts.ts";
import { exactError } from "../exact-sentences.ts";
import { firstSight, type Sight } from "./asked/see.ts";
import { type Consent, consentSources } from "./consent.ts";
import { showSource } from "./control-source.ts";
import { explained, otherAccount } from "./explained.ts";
import { pathOf } from "./scout-named.ts";

/**
 * Gives a scout its source again, by a new consent or with what is given anew of its settings; it goes on where it had
 * stopped. What it may do at its source stays as it was: who lets it move spam to Trash is asked for that right again.
 *
 * @throws DeviceError `source_account_other` (the account was switched: the scout is as it was), `source_in_use`, `usage`,
 * `consent_refused`, `consent_abandoned`; ScoutsError `source_*`, and the code of what has switched it off since
 */
export async function reconnectSource(
  api: CloudApi,
  scout: ScoutResponse,
  settings: SourceSettings,
  consent: Consent,
): Promise<{ readonly scout: ScoutResponse; readonly sight: Sight }> {
  const { id, sourceType, autoTrash } = scout;
  const [field] = consentSources.has(sourceType) ? Object.keys(settings) : [];
  if (field !== undefined) throw exactError("usage", "field", { field }, { data: { field } });
  try {
    const sight = consentSources.has(sourceType)
      ? await connectGmail(api, { scoutId: id, ...consent, autoTrash, sameAccount: true })
      : {
          isSeen: true as const,
          ...(await askCloud(api, "POST", `${pathOf(id)}/reconnect`, seesResponse, { settings })),
        };
    const now = await showSource(api, id);
    // The source was read just now; whatever switched it off since is told as it is.
    if (now.disabledCode !== null) throw new ScoutsError(now.disabledCode);
    return { scout: now, sight: sight ?? (await firstSight(api, id, consent.signal)) };
  } catch (error) {
    if (isScoutsError(error, "source_account_other")) throw otherAccount(error, scout);
    if (isScoutsError(error, "source_credentials_refused") && !givesSecret(settings)) {
      throw exactError("source_credentials_refused", "kept", {}, { cause: error });
    }
    throw explained(error, await listScouts(api));
  }
}

/** Whether what is given anew is what it signs in with. */
const givesSecret = (settings: SourceSettings): boolean => Object.keys(settings).some((field) => field !== "folders");
