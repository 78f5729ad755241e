/** What every function shares. Logs are kept a month: they hold codes and counts only. */
export const functionDefaults = {
  runtime: "nodejs24.x",
  architecture: "arm64",
  memory: "512 MB",
  logging: { retention: "1 month", format: "json" },
  nodejs: { minify: true, format: "esm" },
} as const;
