import { expect, test } from "vitest";
import { isPasswordExport, sensitivityOf } from "../../device/access/policy/sensitivity.ts";
import { extract } from "../../device/folders/extraction/extract.ts";
import { extractionLimits } from "../../device/folders/scanner/limits.ts";

test.each([
  "Chrome Passwords.csv",
  "home/Passwords (2).csv",
  "logins.csv",
  "logins.json",
  "bitwarden_export_20260102.json",
  "lastpass_vault_export.csv",
  "1Password Export 2026.csv",
  "export.1pux",
  "vault.kdbx",
  "github-recovery-codes.txt",
  "Backup codes.pdf",
  "seed phrase.txt",
  "wallet.dat",
  "aegis-backup-20260101.json",
  "Passwörter.xlsx",
])("a list of passwords is known by its name: %s", (path) => expect(sensitivityOf(path)).toBe("secret"));

test.each([
  "src/password.ts",
  "docs/passwords.md",
  "password-reset.html",
  "tests/test_password_policy.py",
  "src/recovery-codes.tsx",
  "bitwarden.md",
  "keeper.csv.ts",
  "wallet.ts",
  "backup/code.ts",
  "onboarding/authenticator.tsx",
  "login.html",
])("code and documents about passwords are none: %s", (path) => expect(sensitivityOf(path)).not.toBe("secret"));

const row = "a,https://a.example,ann,hunter2xyz,,,,,,,";
const headers = [
  "name,url,username,password,note",
  '"url","username","password","httpRealm","formActionOrigin","guid"',
  "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp",
  "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes",
  '"Account","Login Name","Password","Web Site","Comments"',
  '"Group","Title","Username","Password","URL","Notes","TOTP"',
  "url,username,password,totp,extra,name,grouping,fav",
  "Title,URL,Username,Password,Notes,OTPAuth",
  "username,username2,username3,title,password,note,url,category,otpSecret",
];

test.each(headers)("a list of passwords is known by its header row: %s", async (header) => {
  const text = `${header}\n${row}\n`;
  expect(isPasswordExport(text)).toBe(true);
  const job = { kind: "text", bytes: Buffer.from(text), maxContentTokens: 1_000 } as const;
  expect(await extract(job, extractionLimits)).toEqual({ outcome: "failed", reason: "password_export" });
});

test.each([
  '{"encrypted": false, "folders": [], "items": [{"name": "a", "login": {"username": "ann", "password": "x"}}]}',
  '{"nextId": 2, "logins": [{"id": 1, "hostname": "https://a.example", "encryptedUsername": "MDoE"}]}',
  '{"version": 1, "db": {"entries": [{"type": "totp", "name": "a", "info": {"secret": "JBSWY3DP"}}]}}',
])("a list of passwords is known by its form as JSON", (text) => expect(isPasswordExport(text)).toBe(true));

test.each([
  "name,age,city\nann,3,Bern\n",
  "date,amount,account,title\n2026-01-02,3.50,12,bread\n",
  "setting,type,password\nminLength,number,12\n",
  '{"type": "object", "properties": {"username": {"type": "string"}, "password": {"type": "string"}}}',
  "The url, username, password and note of each entry are exported.\nSee below.\n",
])("other tables and schemas are none", (text) => expect(isPasswordExport(text)).toBe(false));
