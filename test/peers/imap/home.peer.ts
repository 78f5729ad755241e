import { mailboxOnHome } from "../../connectors/imap-on-home.ts";
import { startDovecot } from "./dovecot.ts";

mailboxOnHome("Dovecot", startDovecot);
