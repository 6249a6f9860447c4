/** Answers of model servers, by vendor and kind, with the pages that they were taken from. */
export { listKnownAnswers, readServers } from './read-servers.ts';
export {
  type ModelServerRows,
  type RowKind,
  type RowOutcome,
  rowKinds,
  type ServerAnswer,
  type ServerRow,
  type ServerRules,
  usualOutcomes,
} from './server-row.ts';
export { type ModelServer, type ServedRows, startModelServer } from './start-model-server.ts';
