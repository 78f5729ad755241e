import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { cleanUp, message, openMailbox, temporaryFolder } from "./mailbox-fixture.ts";

afterEach(cleanUp);

function maildir(path: string, ...subjects: string[]): void {
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(path, name), { recursive: true });
  for (const subject of subjects) writeFileSync(join(path, "cur", `${subject}.host:2,S`), message(subject));
}

/** What is said at the terminal from now on. */
function told(): () => string {
  const lines: string[] = [];
  const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  onTestFinished(() => spy.mockRestore());
  return () => lines.join("");
}

test("nothing silent: folders of a Maildir that hold received mail and are not looked at are named", async () => {
  const path = join(await temporaryFolder(), "Maildir");
  maildir(path, "one");
  for (const name of [".Work", ".Lists.Garden", ".Sent", ".Entwürfe", ".Papierkorb", "Archive"]) {
    maildir(join(path, name), `in ${name}`);
  }
  mkdirSync(join(path, ".empty"));
  const said = told();
  const mailbox = await openMailbox({ path });
  expect(mailbox.stats().messages).toBe(1);
  expect(said()).toContain(`${path} holds folders of mail that are not looked at: .Lists.Garden, .Work, Archive.`);
  expect(said()).toContain(`scouts add mailbox ${join(path, ".Lists.Garden")}`);
});

test("names of files and folders that are told move nothing in the terminal they are told in", async () => {
  const path = join(await temporaryFolder(), "mail");
  maildir(join(path, "a\u001b]0;owned\u0007\u001b[2J\u202eb"), "one");
  symlinkSync("nowhere", join(path, "c\n\u009b31m.eml"));
  writeFileSync(join(path, "1.eml"), message("one"));
  const said = told();
  await openMailbox({ path });
  expect(said()).toMatch(/not looked at: a\ufffd\]0;owned\ufffd\ufffd\[2Jb\. Add/);
  expect(said(), "a command with a name that a shell would read").toContain("scouts add mailbox PATH\n");
  expect(said()).toContain("/c \ufffd31m.eml cannot be read");
  expect(said().replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test("nothing is said of a Maildir without folders, nor of what one has sent or thrown away", async () => {
  const path = join(await temporaryFolder(), "Maildir");
  maildir(path, "one");
  for (const name of [".Sent", ".Trash", ".Junk", ".Drafts"]) maildir(join(path, name));
  const said = told();
  await openMailbox({ path });
  expect(said()).toBe("");
});

test("nothing silent: Maildirs beside mail in files are named; where nothing else is there, one of them is to be given", async () => {
  const path = join(await temporaryFolder(), "Mail");
  maildir(join(path, "home", "INBOX"), "one");
  maildir(join(path, "Archive"), "two");
  await expect(openMailbox({ path })).rejects.toMatchObject({
    code: "mailbox_empty",
    message: expect.stringContaining(`There are Maildirs in it, Archive and home/INBOX: give one of them`),
  });
  writeFileSync(join(path, "3.eml"), message("three"));
  const said = told();
  expect((await openMailbox({ path })).stats().messages).toBe(1);
  expect(said()).toContain("not looked at: Archive, home/INBOX.");
});

test("nothing silent: links to folders of mail are named, of a Maildir and beside mail in files", async () => {
  const folder = await temporaryFolder();
  maildir(join(folder, "elsewhere"), "two");
  mkdirSync(join(folder, "letters"));
  writeFileSync(join(folder, "letters", "3.eml"), message("three"));
  mkdirSync(join(folder, "pictures"));
  for (const name of ["Maildir", "Mail"]) {
    const path = join(folder, name);
    if (name === "Maildir") maildir(path, "one");
    else mkdirSync(path);
    writeFileSync(join(path, "1.eml"), message("one"));
    for (const [link, to] of [
      [".Work", "elsewhere"],
      ["Letters", "letters"],
      ["Pictures", "pictures"],
      [".Round", name],
      [".Gone", "nowhere"],
    ] as const) {
      symlinkSync(join("..", to), join(path, link));
    }
    const said = told();
    await openMailbox({ path });
    const named = name === "Maildir" ? ".Work" : ".Work, Letters";
    expect(said()).toContain(`${path} holds folders of mail that are not looked at: ${named}. Add`);
  }
});
