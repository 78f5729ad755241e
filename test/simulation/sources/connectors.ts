import type { RemoteSource } from "../../../shared/ports/remote-source.ts";
import type { Table } from "../../../shared/ports/table.ts";
import type { ConnectorRegistry, SourceConnector } from "../../../shared/scouts/connectors/connector.ts";
import { FeedConnector, type FeedPorts } from "../../../shared/scouts/connectors/feed/connector.ts";
import { GmailConnector } from "../../../shared/scouts/connectors/gmail/connector.ts";
import { ImapConnector } from "../../../shared/scouts/connectors/imap/connector.ts";
import { GrantVault } from "../../../shared/scouts/connectors/imap/grant/grant-vault.ts";
import { imapLimits } from "../../../shared/scouts/connectors/imap/limits.ts";
import { imapSecrets, imapSettings } from "../../../shared/scouts/connectors/imap/settings.ts";
import { MailboxConnector } from "../../../shared/scouts/connectors/mailbox/connector.ts";
import { RemoteConnector } from "../../../shared/scouts/connectors/remote/remote-connector.ts";
import { SettingsVault } from "../../../shared/scouts/connectors/settings-vault.ts";
import { SimulatedGmail } from "../gmail.ts";
import type { Process } from "../process.ts";
import type { World } from "../world.ts";
import { SimulatedFeed } from "./feed.ts";
import { SimulatedMailboxServer } from "./files.ts";
import { SimulatedImap } from "./imap.ts";
import { openSimulated } from "./imap-session.ts";
import { scoutOfKey } from "./ref-key.ts";

type Scouts = Pick<FeedPorts, "scouts" | "vault"> & { readonly ledger: Table };

/** The real connectors on the sources of a world, composed as functions/compose/connectors.ts does it. */
export function sourcesOf(
  world: World,
  process: Process,
  { scouts, vault }: Scouts,
  imapFunction: RemoteSource,
): ConnectorRegistry {
  const { clock } = process;
  const client = new SimulatedGmail(world.sim, process, world.mailboxOf);
  client.onListed = () => world.invariants.breaker.asked("news of a mailbox", process);
  const get: FeedPorts["get"] = (address, options) => feedAt(world, address).get(world.sim, process, options);
  const server = new SimulatedMailboxServer(process, () => world.mailboxes);
  const remote = {
    sourceType: "imap",
    limits: imapLimits,
    settings: { schema: imapSettings, secrets: imapSecrets },
  };
  const all: readonly SourceConnector[] = [
    new GmailConnector(client, "topic", clock),
    new FeedConnector({ scouts, vault, clock, reach: "public", get }),
    new MailboxConnector(server, new SettingsVault(scouts, vault), clock, () => client),
    new RemoteConnector(remote, imapFunction),
  ];
  return new Map(all.map((connector) => [connector.sourceType, connector]));
}

/** The connector for the one function that speaks IMAP: as functions/compose/work/imap.ts. */
export function imapOf(world: World, process: Process, { ledger, scouts, vault }: Scouts): ImapConnector {
  const onListed = () => world.invariants.breaker.asked("news of a mailbox", process);
  return new ImapConnector({
    settings: new SettingsVault(scouts, vault),
    grants: new GrantVault(ledger, vault),
    clock: process.clock,
    dial: { reach: "public" },
    after: (delayMs, work) => process.after(delayMs, work),
    open: ({ host, refKey }) => {
      const mailbox = world.mailboxes.find(({ address }) => address === host);
      if (!(mailbox instanceof SimulatedImap)) throw new RangeError(`No server ${host}`);
      return openSimulated(world.sim, process, { mailbox, scoutId: scoutOfKey(refKey) }, { onListed });
    },
  });
}

function feedAt({ mailboxes }: World, address: string): SimulatedFeed {
  const feed = mailboxes.find((each) => each.address === new URL(address).host);
  if (!(feed instanceof SimulatedFeed)) throw new RangeError(`No feed at ${address}`);
  return feed;
}
