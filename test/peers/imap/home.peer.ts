import { mailboxOnHome } from "../../connectors/imap-on-home.ts";
import { peersHere } from "./here.ts";

for (const { name, start } of await peersHere()) mailboxOnHome(name, start);
