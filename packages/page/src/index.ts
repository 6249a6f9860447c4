export { formatRunFile, type RunFileOptions } from './format-run-file.ts';
export type {
  ActAnswer,
  AuditEntry,
  AuditLog,
  CallOptions,
  HealthReader,
  LoginTokens,
  PageChange,
  PageChanges,
  PageReader,
  RunActions,
  SettingsReload,
} from './ports.ts';
export type { ProxyLogin } from './server/access.ts';
export type { PageEnv } from './server/admission.ts';
export { createPage, type PageOptions } from './server/create-page.ts';
export type {
  AssumptionView,
  BoardQuery,
  BoardRow,
  BoardView,
  BudgetView,
  CommentPassage,
  ConditionView,
  CostPoint,
  HealthView,
  LineageEntry,
  PlanView,
  RawLines,
  RowProgress,
  RowState,
  RunControl,
  RunView,
  ThreadView,
  TimelineEntry,
} from './views.ts';
