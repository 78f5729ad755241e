/**
 * What is built and proved and has no command, page, route or tool that leads to it yet. A class the product never
 * constructs is not a feature: whatever stands here gets its way in, or goes.
 */
export const withoutWayIn: readonly string[] = [
  // Projects on S3.
  "device/files/backends/object-storage.ts",
  "device/files/backends/project-bucket.ts",
  "device/files/backends/s3-project-files.ts",
  // Workspaces: programs run in a folder.
  "device/files/backends/null-project-files.ts",
  "device/workspace/bounded-output.ts",
  "device/workspace/process-tree.ts",
  "device/workspace/subprocess.ts",
  "device/workspace/tool-definition.ts",
  "device/workspace/workspace.ts",
  // Files of a project as a directory for programs.
  "device/files/materialize/view-directory.ts: removeAbandonedViews",
  // The lease of a project's edits.
];
