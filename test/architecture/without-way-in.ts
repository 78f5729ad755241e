/**
 * What is built and proved and has no command, page, route or tool that leads to it yet. A class the product never
 * constructs is not a feature: whatever stands here gets its way in, or goes.
 */
export const withoutWayIn: readonly string[] = [];
