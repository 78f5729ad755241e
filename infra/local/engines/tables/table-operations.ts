/** The operations that functions and operators use; the engine knows more, with which tables are made and dropped. */
const onOneTable: readonly string[] = [
  "GetItem",
  "PutItem",
  "UpdateItem",
  "DeleteItem",
  "Query",
  "Scan",
  "DescribeTable",
];
export const onSeveralTables: readonly string[] = ["BatchGetItem", "BatchWriteItem"];

export const tableOperations: readonly string[] = [...onOneTable, ...onSeveralTables];
