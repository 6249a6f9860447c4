// biome-ignore-all assist/source/organizeImports: merged, these lists would run down the page name by name
export type { AdapterArguments, AdapterPlatform, AdapterThread } from './adapter-platform.ts';
export { formatCommentMarker, parseCommentMarker } from './own-comment.ts';
export { closeCodeBlock, type FitCommentBodyOptions, fitCommentBody } from './own-comment.ts';
export { createMemoryPlatform } from './memory/create-memory-platform.ts';
export type { MemoryPlatform, MemorySeed } from './memory/create-memory-platform.ts';
export type { MemoryFailure } from './memory/memory-call.ts';
export type { MemoryPeople, MemoryPullRequestSeed } from './memory/memory-people.ts';
export type { MemoryFile, MemoryRepositorySeed } from './memory/memory-state.ts';
export type { MemoryIssueSeed } from './memory/memory-threads.ts';
export type { Account, Branch, ChangeRequest, Comment, CommentListing, LabelEvent } from './model.ts';
export type { RepositoryDescription, RepositoryListing, RequestRecord, Thread } from './model.ts';
export type { CommentEdit, ThreadChange, ThreadEdit } from './model.ts';
export { composeOwnComment, findOwnComment, isSameBody } from './own-comment.ts';
export { PlatformError, type PlatformErrorCode, type PlatformErrorOptions } from './platform-error.ts';
export type { AccessLevel, AccountFinder, CallOptions, ChangeRequestDraft, ChangeRequests } from './ports.ts';
export type { CommentLookOptions, CommentSource, CommentWriter, EnsuredComment, Identity } from './ports.ts';
export type {
  AssigneeEditor,
  LabelEditor,
  LabelEventReader,
  OpenThreadOptions,
  PermissionReader,
  ThreadHistory,
} from './ports.ts';
export type { PlaceFailure, Platform, PlatformThread, ReactionMeaning, ReactionWriter } from './ports.ts';
export type { RepositoryChanges, RepositoryReader, TaskFinder, TaskListing, TaskQuery } from './ports.ts';
export type { TaskSummary, ThreadReader, WantedComment } from './ports.ts';
export { isSameAccount } from './model.ts';
export type { CustomTaskKey, GitHubTaskKey, GitLabIssueKey } from './task-key.ts';
export type { GitLabMergeRequestKey, TaskKey } from './task-key.ts';
export { parseTaskKeyJson, type TaskKeyJson, toTaskKeyJson } from './task-key.ts';
export { formatTaskKey, parseTaskKey } from './task-key.ts';
