import { quick } from "../rounds.ts";
import { connectorContract } from "./connector-contract.ts";
import { startImapStandIn } from "./imap-standin.ts";
import { imapUnderTest } from "./imap-under-test.ts";

connectorContract("IMAP (stand-in, implicit TLS)", () => imapUnderTest(startImapStandIn, "implicit"));
// What the old one speaks is STARTTLS as well.
if (!quick) connectorContract("IMAP (stand-in, STARTTLS)", () => imapUnderTest(startImapStandIn, "starttls"));
connectorContract("IMAP (old stand-in without extensions, STARTTLS)", () =>
  imapUnderTest(
    () =>
      startImapStandIn({
        without: [
          "LITERAL+",
          "SASL-IR",
          "ID",
          "ENABLE",
          "NAMESPACE",
          "UIDPLUS",
          "MOVE",
          "SPECIAL-USE",
          "CONDSTORE",
          "QRESYNC",
        ],
      }),
    "starttls",
  ),
);
