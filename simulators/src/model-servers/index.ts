/** Answers of model servers, by vendor and kind, with the pages that they were taken from. */
export { assumedAnswers } from './assumed-answers.ts';
export { findRefusal, type SentRequest } from './find-refusal.ts';
export { readServers } from './read-servers.ts';
export {
  type ModelServerRows,
  type RowKind,
  type RowOutcome,
  rowKinds,
  type ServerRow,
  type ServerRules,
  usualOutcomes,
} from './server-row.ts';
