import type { Draw } from "./draw.ts";

/** What looks like a credential and is none: names and values as they occur in ordinary files. */
export interface LookAlike {
  readonly kind: string;
  readonly names: readonly string[];
  make(draw: Draw): string;
}

const lookAlike = (kind: string, names: string, make: (draw: Draw) => string): LookAlike => ({
  kind,
  names: names.split(" "),
  make,
});
const two = (value: number) => String(value).padStart(2, "0");
const date = (draw: Draw) => `20${two(draw.below(27))}-${two(draw.below(12) + 1)}-${two(draw.below(28) + 1)}`;
const uuid = (draw: Draw) => [8, 4, 4, 4, 12].map((length) => draw.text("hex", length)).join("-");
const lorem = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt".split(" ");

export const lookAlikes: readonly LookAlike[] = [
  lookAlike("git commit", "commit revision ref", (d) => d.text("hex", 40)),
  lookAlike("SHA-256", "sha256 checksum digest", (d) => d.text("hex", 64)),
  lookAlike("MD5", "md5 etag file_hash", (d) => d.text("hex", 32)),
  lookAlike("integrity", "integrity", (d) => `sha512-${d.text("base64", 86)}==`),
  lookAlike("UUID", "id request_id device_id", uuid),
  lookAlike("ULID", "id event_id", (d) => `01${d.text("BASE36", 24)}`),
  lookAlike("short id", "slug video_id ref", (d) => d.text("base64url", 11)),
  lookAlike("date", "date created_at turkey keyboard", date),
  lookAlike("time", "updated_at author", (d) => `${date(d)}T${two(d.below(24))}:${two(d.below(60))}:00Z`),
  lookAlike("price", "price total amount", (d) => `${d.below(900)}.${two(d.below(100))}`),
  lookAlike("IBAN", "iban account", (d) => `DE${d.text("digits", 20)}`),
  lookAlike(
    "public key",
    "public_key ssh_public_key",
    (d) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${d.text("base64", 43)}`,
  ),
  lookAlike(
    "certificate",
    "certificate ca_cert",
    (d) => `-----BEGIN CERTIFICATE-----\n${d.text("base64", 64)}\n${d.text("base64", 64)}\n-----END CERTIFICATE-----`,
  ),
  lookAlike("base64 picture", "image icon", (d) => `data:image/png;base64,${d.text("base64", 200)}`),
  lookAlike(
    "minified script",
    "script",
    (d) => `!function(e,t){var n=e.${d.of(lorem)},r=t[${d.below(99)}];n&&r(n.key,t.token)}(a,b)`,
  ),
  lookAlike("words", "description title monkey", (d) => Array.from({ length: 8 }, () => d.of(lorem)).join(" ")),
  lookAlike("version", "version engine", (d) => `${d.below(30)}.${d.below(30)}.${d.below(30)}-rc.${d.below(9)}`),
  lookAlike("cache key", "cache_key partition_key sort_key", (d) => `user:${d.below(9999)}:${d.of(lorem)}`),
  lookAlike("token count", "max_tokens token_count tokens_used", (d) => String(d.below(90_000))),
  lookAlike("password rule", "password_policy password_min_length password_hint", (d) =>
    d.of(["strong", "12", "your first pet", "at-least-one-digit"]),
  ),
  lookAlike("password type", "password", (d) => d.of(["string", "required", "null", "String?", "text"])),
  lookAlike("token type", "token_type auth_type", (d) => d.of(["Bearer", "basic", "oauth2", "api_key"])),
  lookAlike(
    "endpoint of tokens",
    "token_url auth_uri token_endpoint",
    (d) => `https://login.example.org/oauth2/v${d.below(4)}/token`,
  ),
  lookAlike("file of a secret", "secret_name password_file secrets_dir", (d) =>
    d.of(["/run/secrets/db", "prod/db-main", "./secrets/app.txt"]),
  ),
  lookAlike("variable", "password token api_key", (d) =>
    d.of([["$", "{PASSWORD}"].join(""), "$TOKEN", "{{ vault.key }}", "%APP_TOKEN%", "<token>", "process.env.TOKEN"]),
  ),
];
