import type { Draw } from "./draw.ts";

/** One kind of credential, as its issuer's pages describe it, with the names people give it. */
export interface CredentialKind {
  readonly kind: string;
  /** In snake case; a format writes them in its own way. */
  readonly names: readonly string[];
  make(draw: Draw): string;
  /** What documentation writes in its place. */
  readonly standIns: readonly string[];
}

const words = "river copper lantern meadow orbit velvet thunder pickle walnut saddle ember harbor cactus violin".split(
  " ",
);
const uuid = (draw: Draw) => [8, 4, 4, 4, 12].map((length) => draw.text("hex", length)).join("-");
const common = ["your-token-here", "<token>", "xxxxxxxxxxxxxxxxxxxx", "changeme"];
const kind = (
  name: string,
  names: string,
  make: (draw: Draw) => string,
  standIns: readonly string[] = common,
): CredentialKind => ({ kind: name, names: names.split(" "), make, standIns });
/** Written apart, so that no scanner takes this file for a leak. */
const p = (...parts: string[]) => parts.join("");

export const credentialKinds: readonly CredentialKind[] = [
  kind(
    "password, word and digits",
    "password db_password admin_password",
    (d) => `${d.of(words)}${d.of(words)}${d.below(9000) + 10}`,
  ),
  kind(
    "password, symbols",
    "password smtp_password passwd",
    (d) => `${d.text("base62", 5)}!${d.text("base62", 4)}#${d.below(90)}`,
  ),
  kind("password, plain word", "password db_password login_password", (d) => d.of(words) + d.of(words)),
  kind("password, German name", "passwort kennwort", (d) => `${d.of(words)}${d.below(9000) + 10}!`),
  kind("password, Spanish name", "contraseña contrasena", (d) => `${d.of(words)}${d.below(9000) + 10}!`),
  kind("password, French name", "mot_de_passe", (d) => `${d.of(words)}${d.below(9000) + 10}!`),
  kind("password, Russian name", "пароль", (d) => `${d.of(words)}${d.below(9000) + 10}!`),
  kind(
    "passphrase",
    "passphrase wifi_passphrase",
    (d) => `${d.of(words)}-${d.of(words)}-${d.below(99)}-${d.of(words)}`,
  ),
  kind("pin", "pin card_pin", (d) => d.of(["4821", "730194", "99183", "2750", "861407"])),
  kind("api key, hex 32", "api_key apikey", (d) => d.text("hex", 32)),
  kind("api key, base36 20", "api_key weather_api_key", (d) => d.text("base36", 20)),
  kind("api key, base62 40", "api_key x_api_key", (d) => d.text("base62", 40)),
  kind("api key, uuid", "api_key service_api_key", uuid),
  kind("client secret, base64url", "client_secret oauth_client_secret", (d) => d.text("base64url", 43)),
  kind("secret key, base64", "secret_key secret_key_base signing_key", (d) => `${d.text("base64", 43)}=`),
  kind("access token, base36", "access_token refresh_token", (d) => d.text("base36", 32)),
  kind("bearer token, base32", "auth_token bearer_token", (d) => d.text("base32", 26)),
  kind("webhook secret", "webhook_secret", (d) => p("whsec", "_", d.text("base64", 32))),
  kind("encryption key", "encryption_key master_key", (d) => d.text("hex", 64)),
  kind("license key", "license_key", (d) => [5, 5, 5, 5].map((n) => d.text("BASE36", n)).join("-")),
  kind("AWS access key id", "aws_access_key_id access_key", (d) => p("AK", "IA", d.text("BASE32", 16)), [
    p("AK", "IAIOSFODNN7EXAMPLE"),
    ...common,
  ]),
  kind("AWS secret access key", "aws_secret_access_key", (d) => d.text("base64", 40), [
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    ...common,
  ]),
  kind("GitHub token", "github_token gh_token", (d) => p("gh", "p_", d.text("base62", 36)), [
    p("gh", "p_", "x".repeat(36)),
    ...common,
  ]),
  kind("GitHub fine-grained token", "github_pat", (d) =>
    p("github", "_pat_", d.text("base62", 22), "_", d.text("base62", 59)),
  ),
  kind("GitLab token", "gitlab_token ci_token", (d) => p("gl", "pat-", d.text("base64url", 20)), [
    p("gl", "pat-", "x".repeat(20)),
    ...common,
  ]),
  kind(
    "Slack token",
    "slack_token slack_bot_token",
    (d) => p("xo", "xb-", d.text("digits", 12), "-", d.text("digits", 12), "-", d.text("base62", 24)),
    [p("xo", "xb-your-token"), ...common],
  ),
  kind("Stripe key", "stripe_key stripe_secret_key", (d) => p("sk", "_live_", d.text("base62", 24))),
  kind("OpenAI key", "openai_api_key", (d) => p("sk", "-proj-", d.text("base64url", 60)), ["sk-...", ...common]),
  kind("Anthropic key", "anthropic_api_key", (d) => p("sk", "-ant-api03-", d.text("base64url", 93), "AA")),
  kind("Google API key", "google_api_key maps_key", (d) => p("AI", "za", d.text("base64url", 35))),
  kind("npm token", "npm_token node_auth_token", (d) => p("np", "m_", d.text("base62", 36))),
  kind("PyPI token", "pypi_token twine_password", (d) => p("py", "pi-AgEIcHlwaS5vcmc", d.text("base64url", 70))),
  kind("SendGrid key", "sendgrid_api_key", (d) => p("S", "G.", d.text("base64url", 22), ".", d.text("base64url", 43))),
  kind("Telegram token", "telegram_bot_token", (d) => p(d.text("digits", 10), ":A", "A", d.text("base64url", 33))),
  kind("JWT", "jwt id_token session_token", (d) =>
    p("ey", "JhbGciOiJIUzI1NiJ9.", "eyJ", d.text("base64url", 50), ".", d.text("base64url", 43)),
  ),
  kind("Shopify token", "shopify_access_token", (d) => p("sh", "pat_", d.text("hex", 32))),
  kind("Databricks token", "databricks_token", (d) => p("da", "pi", d.text("hex", 32))),
  kind("DigitalOcean token", "do_token digitalocean_access_token", (d) => p("do", "p_v1_", d.text("hex", 64))),
  kind("Hugging Face token", "hf_token", (d) => p("h", "f_", d.text("letters", 34))),
  kind("Azure client secret", "azure_client_secret", (d) => p(d.text("base62", 3), "8", "Q~", d.text("base62", 34))),
  kind("Vault token", "vault_token", (d) => p("hv", "s.", d.text("base64url", 95))),
  kind("Pinecone key", "pinecone_api_key", (d) => p("pc", "sk_", d.text("base62", 6), "_", d.text("base62", 60))),
  kind("Sourcegraph token", "sourcegraph_access_token", (d) =>
    p("sg", "p_", d.text("hex", 16), "_", d.text("hex", 40)),
  ),
  kind("Facebook token", "facebook_access_token", (d) => p("EA", "AM", d.text("base62", 120))),
  kind(
    "recovery code",
    "recovery_code backup_code",
    (d) => `${d.text("base36", 3)}7${d.text("base36", 1)}-4${d.text("base36", 4)}`,
  ),
  kind("private key", "private_key ssh_private_key", (d) => pem(d)),
];

function pem(draw: Draw): string {
  const label = draw.of(["RSA PRIVATE", "PRIVATE", "EC PRIVATE", "OPENSSH PRIVATE"]);
  const lines = Array.from({ length: 6 }, () => draw.text("base64", 64));
  return [`-----BEGIN ${label} KEY-----`, ...lines, `-----END ${label} KEY-----`].join("\n");
}
