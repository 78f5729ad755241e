import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../device/setting.ts";
import { imapServer, mail } from "./client.ts";

/** Python's own client, written by others from the same RFCs. */
const session = `
import imaplib, json, ssl, sys
plain, encrypted, ca = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
trust = ssl.create_default_context(cafile=ca)
told = {}
def read(answer):
    kind, data = answer
    return [kind] + [str(part[0] + part[1] if isinstance(part, tuple) else part, "utf8") if part else None for part in data]
client = imaplib.IMAP4_SSL("localhost", encrypted, ssl_context=trust)
client.login("ada@example.com", "secret")
told["list"] = read(client.list())
told["status"] = read(client.status("INBOX", "(MESSAGES UIDNEXT)"))
client.select("INBOX")
told["search"] = read(client.uid("SEARCH", None, "FROM", '"bea"'))
told["envelope"] = read(client.uid("FETCH", "1", "(ENVELOPE)"))
told["text"] = read(client.uid("FETCH", "1", "(BODY.PEEK[1]<0.5>)"))
told["store"] = read(client.uid("STORE", "2", "+FLAGS", "(\\\\Deleted)"))
told["expunge"] = read(client.expunge())
told["append"] = read(client.append("Trash", "(\\\\Seen)", None, b"Subject: x\\r\\n\\r\\ny\\r\\n"))
told["logout"] = client.logout()[0]
client = imaplib.IMAP4("localhost", plain)
client.starttls(trust)
told["oauth"] = client.authenticate("XOAUTH2", lambda asked: b"user=ada@example.com\\x01auth=Bearer good\\x01\\x01")[0]
try:
    imaplib.IMAP4("localhost", plain).login("ada@example.com", "wrong")
except imaplib.IMAP4.error as error:
    told["refused"] = str(error)
print(json.dumps(told))
`;

const python = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!python)("a client of others' making (Python's imaplib) understands it", async () => {
  const imap = await imapServer({
    users: [{ user: "ada@example.com", password: "secret", accessTokens: new Set(["good"]) }],
  });
  imap.account().create("Trash", "\\Trash");
  for (let n = 1; n <= 3; n += 1)
    imap
      .account()
      .find("INBOX")
      ?.deliver({ raw: mail(n) });
  const folder = temporaryFolder();
  const [script, ca] = [path.join(folder, "session.py"), path.join(folder, "ca.pem")];
  writeFileSync(script, session);
  writeFileSync(ca, imap.ca);
  const { stdout } = await promisify(execFile)("python3", [script, String(imap.port), String(imap.tlsPort), ca]);
  expect(JSON.parse(stdout)).toMatchObject({
    list: ["OK", '(\\HasNoChildren) "/" "INBOX"', '(\\HasNoChildren \\Trash) "/" "Trash"'],
    status: ["OK", '"INBOX" (MESSAGES 3 UIDNEXT 4)'],
    search: ["OK", "1 2 3"],
    envelope: ["OK", expect.stringContaining('(("Bea, Lind" NIL "bea" "example.org"))')],
    text: ["OK", "1 (UID 1 BODY[1]<0> {5}Hello", ")"],
    store: ["OK", "2 (UID 2 FLAGS (\\Deleted))"],
    expunge: ["OK", "2"],
    append: ["OK", expect.stringMatching(/^\[APPENDUID \d+ 1\]/)],
    logout: "BYE",
    oauth: "OK",
    refused: expect.stringContaining("AUTHENTICATIONFAILED"),
  });
});
