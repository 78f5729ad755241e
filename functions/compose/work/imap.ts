import type { SyncMessage, TriageMessage, TrialMessage } from "../../../events/queues.ts";
import { SqsQueue } from "../../../shared/aws/sqs-queue.ts";
import { systemClock } from "../../../shared/ports/clock.ts";
import { ImapConnector, type ImapPorts } from "../../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { imapLimitsOf } from "../../../shared/scouts/connectors/imap/limits.ts";
import { Listener } from "../../../shared/scouts/connectors/imap/listener.ts";
import { SettingsVault } from "../../../shared/scouts/connectors/settings-vault.ts";
import { ScoutStore } from "../../../shared/scouts/scout-store.ts";
import { linked, setting } from "../../environment.ts";
import { once } from "../../once.ts";
import { vaultSealer } from "../keys.ts";
import { ledger } from "../tables.ts";

/** The connector itself, for the one function that carries its library. */
export const imap = once(
  () =>
    new ImapConnector({
      settings: new SettingsVault(new ScoutStore(ledger()), vaultSealer),
      grants: new GrantVault(ledger(), vaultSealer),
      clock: systemClock,
      dial: { reach: setting("IMAP_ADDRESSES") === "any" ? "any" : "public" },
      limits: imapLimitsOf(setting("IMAP_UNITS_PER_MINUTE")),
      ...listener(),
    }),
);

function listener(): Pick<ImapPorts, "listener"> {
  const url = setting("IMAP_LISTENER_URL");
  return url === "off" ? {} : { listener: new Listener(url) };
}

export const imapQueue = once(() => new SqsQueue<SyncMessage | TriageMessage | TrialMessage>(linked("ImapQueue").url));
