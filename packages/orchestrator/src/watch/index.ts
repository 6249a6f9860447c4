export { type AuditEntry, type AuditLog, createAuditLog } from './audit-log.ts';
export {
  createRunsWatch,
  type RunsReader,
  type RunsWatch,
  type RunsWatchOptions,
} from './create-runs-watch.ts';
export { createKeepFresh, type KeepFreshOptions } from './keep-fresh.ts';
export { createLoginTokens, createStatusTokens, type KeptToken, type LoginTokens } from './login-tokens.ts';
export type { BoardView } from './read-board.ts';
