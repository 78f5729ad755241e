import { pathFilter } from "../../files/paths/path-filter.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import type { FileTag, Sensitivity } from "../store/access-store.ts";
import { spellingsOf } from "./spellings.ts";

/** Files whose purpose is to hold credentials. */
export const secretGlobs = [
  ".env",
  ".env.*",
  "*.env",
  ".envrc",
  "!.env.example",
  "!.env.sample",
  "!.env.template",
  "!.env.dist",
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.ppk",
  "*.asc",
  "id_rsa",
  "id_dsa",
  "id_ecdsa",
  "id_ed25519",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".npmrc",
  ".pypirc",
  ".dockercfg",
  ".git-credentials",
  ".docker/config.json",
  ".aws/credentials",
  ".kube/config",
  ".ssh/**",
  ".gnupg/**",
  "credentials.json",
  "client_secret*.json",
  "service-account*.json",
  "service_account*.json",
  "secrets.{json,yml,yaml,toml,ini}",
  "*.tfstate",
  "*.tfstate.*",
  "*.tfvars",
  "terraform.rc",
  ".terraformrc",
  // What password managers and browsers export, and what they keep.
  "*password*.{csv,tsv,xlsx,xls,ods,numbers}",
  "*passwords*.{json,txt,html,pdf,docx,zip}",
  "{passwords,passwörter,passwoerter,contraseñas,mots de passe,wachtwoorden,senhas,пароли}.{csv,txt,json,docx,xlsx,pdf}",
  "logins.{csv,json}",
  "login data",
  "{bitwarden,lastpass,keepass,keepassxc,dashlane,nordpass,roboform,enpass,1password,protonpass,proton pass,proton_pass,keeper,sticky password,zoho vault}{,*[-_ ]*}.{csv,json,xml,txt,html,zip,pgp}",
  "*.{1pux,1pif,kdb,agilekeychain,opvault,psafe3,walletx,enpassdb,spsafe,keychain,keychain-db,kwallet}",
  // Recovery codes, seeds of wallets, second factors.
  "*{recovery,backup}{-,_, }code*.{txt,md,pdf,png,jpg,jpeg,csv,docx}",
  "*{seed,recovery}{-,_, }phrase*.{txt,md,pdf,png,jpg,jpeg,docx}",
  "{mnemonic,seedphrase,wallet-seed,wallet_seed}.{txt,md,json}",
  "wallet.dat",
  "utc--20*",
  "{aegis,2fas,andotp,otp,authenticator,raivo}{-,_, }{backup,export}*",
  "*.2fas",
];

/** Files that say much about a person or a company without being credentials. */
export const sensitiveGlobs = [
  "*.sqlite",
  "*.sqlite3",
  "*.db",
  "*.mbox",
  "*.eml",
  "*.vcf",
  "*.har",
  "*.dump",
  ".*_history",
  ".git/config",
];

const isSecret = pathFilter({ globs: secretGlobs }, true);
const isSensitive = pathFilter({ globs: sensitiveGlobs }, true);

/** How careful to be with a file, by its path. */
export function sensitivityOf(path: string): Sensitivity {
  const spellings = spellingsOf(path);
  if (spellings.some((each) => isSecret?.(each, nameOf(each)))) return "secret";
  return spellings.some((each) => isSensitive?.(each, nameOf(each))) ? "sensitive" : "normal";
}

/** Names of columns by which exports of browsers and password managers are known, as they write them in their first line. */
const passwordColumn = /^(?:login[ _]?)?password$/;
const accountColumn =
  /^(?:(?:login[ _]?)?(?:user ?name|uri|url|name)|web ?site|login name|account|title|hostname|email)$/;
/** Their JSON: Bitwarden, Firefox, 1Password, Proton Pass, Aegis. */
const exportedJson = [
  /"encrypted"\s*:\s*false\s*,[\s\S]{0,200}"(?:folders|collections|items)"\s*:/,
  /"encryptedUsername"\s*:\s*"/,
  /"(?:itemType|categoryUuid)"\s*:\s*"[\s\S]{0,2000}"password"\s*:/,
  /"type"\s*:\s*"(?:totp|hotp)"[\s\S]{0,400}"secret"\s*:/,
  /"login"\s*:\s*\{[^{}]{0,800}"username"\s*:[^{}]{0,400}"password"\s*:/,
];
const lookChars = 6_000;

/** Whether a text is a list of passwords, whatever its file is called: told by the header row or the form of its JSON. */
export function isPasswordExport(text: string): boolean {
  const start = text.slice(0, lookChars).trimStart();
  if (start.startsWith("{") || start.startsWith("[")) return exportedJson.some((form) => form.test(start));
  const [header = "", row = ""] = start.split(/\r?\n/, 2);
  const delimiter = [",", ";", "\t"].find((each) => header.includes(each));
  if (delimiter === undefined || row.split(delimiter).length < 3) return false;
  const columns = header.split(delimiter).map((name) =>
    name
      .trim()
      .replace(/^\ufeff?"|"$/g, "")
      .toLowerCase(),
  );
  const accounts = columns.filter((name) => accountColumn.test(name));
  return columns.some((name) => passwordColumn.test(name)) && accounts.length >= 2;
}

const tagGlobs: readonly (readonly [FileTag, readonly string[]])[] = [
  ["test", ["test/**", "tests/**", "__tests__/**", "spec/**", "*.test.*", "*.spec.*", "*_test.*", "test_*.py"]],
  ["doc", ["*.{md,mdx,rst,txt,adoc,org,tex}", "docs/**", "LICENSE*", "README*", "CHANGELOG*", "CONTRIBUTING*"]],
  [
    "config",
    [
      "*.{json,jsonc,yml,yaml,toml,ini,cfg,conf,properties}",
      ".*rc",
      "Dockerfile*",
      "Makefile",
      ".git*",
      ".editorconfig",
    ],
  ],
  [
    "code",
    [
      "*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py,rb,go,rs,java,kt,kts,scala,swift,c,h,cc,cpp,hpp,cs,fs,php,lua,pl,r,jl,ex,exs}",
      "*.{erl,hs,clj,dart,sh,bash,zsh,fish,ps1,sql,html,css,scss,less,vue,svelte,proto,graphql,tf}",
    ],
  ],
  ["data", ["*.{csv,tsv,jsonl,ndjson,parquet,xml,sqlite,db,xlsx,xls,log,geojson}"]],
  ["image", ["*.{png,jpg,jpeg,gif,webp,svg,bmp,ico,tif,tiff,avif,heic}"]],
];
const tagFilters = tagGlobs.map(([tag, globs]) => [tag, pathFilter({ globs }, true)] as const);

/** What kind of file a path names; models over-pick tests when they cannot tell (arXiv 2606.11976). */
export function tagsOf(path: string): FileTag[] {
  return tagFilters.filter(([, matches]) => matches?.(path, nameOf(path))).map(([tag]) => tag);
}
