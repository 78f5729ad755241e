import type { ImapOptions } from "../../infra/standins/imap/imap.ts";
import { startImap } from "../../infra/standins/imap/start.ts";
import type { ImapPeer } from "../peers/imap/peer.ts";

/** The stand-in as one more server to prove the connector on. */
export async function startImapStandIn(options: Omit<ImapOptions, "users"> = {}): Promise<ImapPeer> {
  const owner = { user: "ada", password: "correct horse battery" };
  const server = await startImap({ ...options, users: [owner] });
  return {
    name: "stand-in",
    host: "localhost",
    plain: server.port,
    encrypted: server.tlsPort,
    ca: server.ca,
    ...owner,
    setPassword: async (word) => {
      owner.password = word;
    },
    renumber: async () => server.account(owner.user).find("INBOX")?.resetUidValidity(),
    answers: (line, command) => server.faults.arm({ kind: "answers", line }, { command }),
    log: async () => "",
    close: server.close,
  };
}
