/**
 * Ways to find AWS credentials that no Lambda function uses: its role's credentials are in the environment, where the
 * SDK's default chain looks first. The chain loads the others only when it needs them, so leaving them out of the
 * bundles takes 140 KB from each and changes nothing (test/infra/bundles.test.ts holds it to that). Nor is node-fetch, which
 * a source's library loads where it is given no `fetch`: another 100 KB.
 */
export const neverLoaded: string[] = [
  "@aws-sdk/credential-provider-http",
  "@aws-sdk/credential-provider-ini",
  "@aws-sdk/credential-provider-login",
  "@aws-sdk/credential-provider-process",
  "@aws-sdk/credential-provider-sso",
  "@aws-sdk/credential-provider-web-identity",
  "@aws-sdk/token-providers",
  "@smithy/credential-provider-imds",
  "node-fetch",
];

/**
 * What every function shares. Logs are kept a month: they hold codes and counts only. What is imported when it is needed lies in
 * files of its own (`splitting`), so that a cold start does not read it: the built-in model of a cascade, ways to other services.
 */
export const functionDefaults = {
  runtime: "nodejs24.x",
  architecture: "arm64",
  memory: "512 MB",
  logging: { retention: "1 month", format: "json" },
  nodejs: { minify: true, format: "esm", splitting: true, esbuild: { external: neverLoaded } },
} as const;
