/** A credential that its form alone gives away. Every pattern is linear: bounded repetitions, no nesting. */
export interface KnownFormat {
  readonly kind: string;
  /** Source of a regular expression; put behind a lookbehind that refuses letters and digits. */
  readonly source: string;
}

/**
 * Prefixes that issuers document so that scanners find them (GitHub "Behind GitHub's new authentication token formats",
 * 2021, and the issuers' own pages). Kept to prefixes that mean nothing else.
 */
export const knownFormats: readonly KnownFormat[] = [
  { kind: "aws-access-key-id", source: "(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}(?![A-Za-z0-9])" },
  { kind: "github-token", source: "gh[pousr]_[A-Za-z0-9]{36,255}" },
  { kind: "github-token", source: "github_pat_[A-Za-z0-9_]{36,255}" },
  {
    kind: "gitlab-token",
    source: "(?:gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct|rtr)-|GR1348941)[A-Za-z0-9_.-]{20,300}",
  },
  { kind: "slack-token", source: "xox[abeoprs](?:\\.xox[bp])?-[A-Za-z0-9-]{10,250}" },
  { kind: "slack-token", source: "xapp-\\d-[A-Za-z0-9-]{20,250}" },
  { kind: "slack-webhook", source: "hooks\\.slack\\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,90}" },
  { kind: "discord-webhook", source: "discord(?:app)?\\.com/api/webhooks/\\d{17,20}/[A-Za-z0-9_-]{40,100}" },
  {
    kind: "teams-webhook",
    source: "webhook\\.office\\.com/webhookb2/[A-Za-z0-9@-]{30,90}/IncomingWebhook/[A-Za-z0-9/-]{30,120}",
  },
  { kind: "stripe-key", source: "(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,200}" },
  { kind: "webhook-secret", source: "whsec_[A-Za-z0-9+/=]{24,90}" },
  { kind: "openai-key", source: "sk-(?:proj-|svcacct-|admin-|ant-[a-z0-9]{3,8}-|or-v1-)?[A-Za-z0-9_-]{20,200}" },
  { kind: "google-api-key", source: "AIza[A-Za-z0-9_-]{35}" },
  { kind: "google-oauth-token", source: "ya29\\.[A-Za-z0-9_-]{20,400}" },
  { kind: "google-oauth-secret", source: "GOCSPX-[A-Za-z0-9_-]{20,60}" },
  { kind: "google-refresh-token", source: "1//0[A-Za-z0-9_-]{40,200}" },
  { kind: "npm-token", source: "npm_[A-Za-z0-9]{36}" },
  { kind: "pypi-token", source: "pypi-[A-Za-z0-9_-]{50,300}" },
  { kind: "rubygems-key", source: "rubygems_[a-f0-9]{48}" },
  { kind: "docker-token", source: "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,60}" },
  { kind: "huggingface-token", source: "(?:hf|api_org)_[A-Za-z0-9]{30,60}" },
  { kind: "sendgrid-key", source: "SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}" },
  { kind: "mailgun-key", source: "(?:key|pubkey)-[a-f0-9]{32}" },
  { kind: "mailchimp-key", source: "[a-f0-9]{32}-us\\d{1,2}" },
  { kind: "twilio-key", source: "SK[a-f0-9]{32}" },
  { kind: "telegram-token", source: "\\d{8,10}:AA[A-Za-z0-9_-]{32,35}" },
  { kind: "shopify-token", source: "shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}" },
  { kind: "digitalocean-token", source: "do[opr]_v1_[a-f0-9]{64}" },
  {
    kind: "cloud-token",
    source: "(?:dapi|ATATT3|ATCTT3|ATBB|EAAA|EAAG|FLWSECK|rzp_live_|sq0[a-z]{3}-)[A-Za-z0-9_=-]{18,300}",
  },
  { kind: "vault-token", source: "(?:hv[sbr].[A-Za-z0-9_-]{24,200}|[sb].[A-Za-z0-9]{24}(?![A-Za-z0-9_.(-]))" },
  {
    kind: "vendor-token",
    source:
      "(?:ops_eyJ|dop_|lin_(?:api|oauth)_|pat-na1-|pat-eu1-|fio-u-|figd_|figo_|glsa_|glc_|nvapi-|pplx-|gsk_|xai-|r8_|tvly-|sntry[su]_|phc_|phx_|pscale_(?:tkn|pw|oauth)_|dt0[a-z]01\\.|NRAK-|NRII-|shippo_(?:live|test)_|EZ[AT]K|duffel_(?:live|test)_|fo1_|FlyV1 |CFPAT-|PMAK-|sbp_|secret_|tfp_|dp\\.(?:pt|st|ct|sa|scim|audit)\\.|p8e-|rdme_|SNYK|sk_(?:acct|org)_|ltv_|cio-|AGE-SECRET-KEY-1|bkua_|v1\\.0-|pul-|RGAPI-|SWMTKN-1-|hooks?_|xkeysib-|xsmtpsib-|key_(?:live|test)_|live_|test_pk_|sk_live_|ico-|API-|key-|ATLASSIAN-|CLOJARS_|AKCp|cmVmdGtu|oy2[a-z0-9]|ntn_|oai-|tk-us-|tskey-|ubt_|vercel_|zpka_)[A-Za-z0-9_.=-]{20,2000}",
  },
  { kind: "azure-client-secret", source: "[A-Za-z0-9_.~]{3}\\dQ~[A-Za-z0-9_.~-]{31,34}" },
  { kind: "azure-storage-key", source: "[A-Za-z0-9+/]{86}==" },
  { kind: "terraform-token", source: "[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,80}" },
  { kind: "jwt", source: "ey[JIKLA-D][A-Za-z0-9_-]{8,2000}\\.ey[A-Za-z0-9_-]{8,4000}(?:\\.[A-Za-z0-9_-]{0,2000})?" },
];
