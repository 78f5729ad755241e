/** How long a decision can be undone before the cloud is told of it. */
export const undoableMs = 10_000;
