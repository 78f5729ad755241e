import { pathFilter } from "../../files/paths/path-filter.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import type { FileTag, Sensitivity } from "../store/access-store.ts";

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
  const name = nameOf(path);
  if (isSecret?.(path, name)) return "secret";
  return isSensitive?.(path, name) ? "sensitive" : "normal";
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
