import { startImapStandIn } from "../contract/imap-standin.ts";
import { mailboxOnHome } from "./imap-on-home.ts";

mailboxOnHome("stand-in", () => startImapStandIn());
