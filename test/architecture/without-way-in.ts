/**
 * What is built and proved and has no command, page, route or tool that leads to it yet. A class the product never
 * constructs is not a feature: whatever stands here gets its way in, or goes.
 */
export const withoutWayIn: readonly string[] = [
  // Projects on S3.
  "device/files/backends/object-storage.ts",
  "device/files/backends/project-bucket.ts",
  "device/files/backends/s3-project-files.ts",
  // The lease of a project's edits.
];
