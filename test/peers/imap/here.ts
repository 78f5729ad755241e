import { cyrusMissing, startCyrus } from "./cyrus.ts";
import { dovecotVersion, startDovecot } from "./dovecot.ts";
import type { ImapPeer } from "./peer.ts";

export interface PeerHere {
  readonly name: string;
  readonly start: () => Promise<ImapPeer>;
}

/** The mail servers that are installed on this machine; of the others one line says what is missing. */
export async function peersHere(): Promise<PeerHere[]> {
  const dovecot = await dovecotVersion();
  const cyrus = cyrusMissing();
  if (dovecot === undefined)
    process.stdout.write(
      "left out: Dovecot is not installed (Debian: dovecot-imapd, which takes the place of cyrus-imapd)\n",
    );
  if (cyrus !== undefined) process.stdout.write(`left out: ${cyrus}\n`);
  return [
    ...(dovecot === undefined ? [] : [{ name: `Dovecot ${dovecot}`, start: startDovecot }]),
    ...(cyrus === undefined ? [{ name: "Cyrus", start: startCyrus }] : []),
  ];
}
