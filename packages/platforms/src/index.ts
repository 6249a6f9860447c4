// biome-ignore-all assist/source/organizeImports: merged, these lists would run down the page name by name
export { formatCommentMarker, parseCommentMarker } from './comment-marker.ts';
export { type FitCommentBodyOptions, fitCommentBody, type Locale } from './fit-comment-body.ts';
export { createMemoryPlatform } from './memory/create-memory-platform.ts';
export type { MemoryPlatform, MemorySeed } from './memory/create-memory-platform.ts';
export type { MemoryFailure } from './memory/memory-call.ts';
export type { MemoryPeople, MemoryPullRequestSeed } from './memory/memory-people.ts';
export type { MemoryFile, MemoryRepositorySeed } from './memory/memory-state.ts';
export type { MemoryIssueSeed } from './memory/memory-threads.ts';
export type { Account, Branch, ChangeRequest, Comment, CommentListing } from './model.ts';
export type { RepositoryDescription, RepositoryListing, RequestRecord } from './model.ts';
export type { Thread, ThreadChange } from './model.ts';
export { composeOwnComment, findOwnComment, isSameBody } from './own-comment.ts';
export { PlatformError, type PlatformErrorCode, type PlatformErrorOptions } from './platform-error.ts';
export type { AccessLevel, CallOptions, ChangeRequestDraft, ChangeRequests, CommentSource } from './ports.ts';
export type { CommentLookOptions, CommentWriter, EnsuredComment, Identity, LabelEditor } from './ports.ts';
export type { OpenThreadOptions, PermissionReader, Platform, PlatformThread } from './ports.ts';
export type {
  ReactionMeaning,
  ReactionWriter,
  RepositoryChanges,
  RepositoryReader,
  TaskFinder,
} from './ports.ts';
export type { TaskQuery, TaskSummary, ThreadReader } from './ports.ts';
export { isSameAccount } from './same-account.ts';
export type { CustomTaskKey, GitHubTaskKey, GitLabIssueKey } from './task-key.ts';
export type { GitLabMergeRequestKey, TaskKey } from './task-key.ts';
export { parseTaskKeyJson, type TaskKeyJson, toTaskKeyJson } from './task-key-json.ts';
export { formatTaskKey, parseTaskKey } from './task-key-text.ts';
