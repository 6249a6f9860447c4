export type { AdapterArguments, AdapterPlatform, AdapterThread } from './adapter-platform.ts';
export type { MemoryPlatform, MemorySeed } from './memory/create-memory-platform.ts';
export { createMemoryPlatform } from './memory/create-memory-platform.ts';
export type { MemoryPeople, MemoryPullRequestSeed } from './memory/memory-people.ts';
export type { MemoryReviewers } from './memory/memory-reviewers.ts';
export type { MemoryFailure, MemoryFile, MemoryRepositorySeed } from './memory/memory-state.ts';
export type { MemoryIssueSeed } from './memory/memory-threads.ts';
export type {
  Account,
  Branch,
  ChangeRequest,
  CheckConclusion,
  CheckSubject,
  Comment,
  CommentEdit,
  CommentListing,
  CommentReaction,
  CommentSubject,
  EnsuredComment,
  GivenReaction,
  LabelEvent,
  LineSubject,
  OwnComment,
  ReactionMeaning,
  RepositoryDescription,
  RepositoryListing,
  RequestRecord,
  ReviewSubject,
  Thread,
  ThreadChange,
  ThreadEdit,
  ThreadParent,
} from './model.ts';
export { isSameAccount } from './model.ts';
export {
  closeCodeBlock,
  composeOwnComment,
  type FitCommentBodyOptions,
  findOwnComment,
  fitCommentBody,
  formatCommentMarker,
  isSameBody,
  parseCommentMarker,
  sortOwnComments,
} from './own-comment.ts';
export type { FetchPictureOptions, PictureSource } from './picture-source.ts';
export { findPlaceMistake, isPlacePattern, type PlaceLanguage, parsePlacePattern } from './place-pattern.ts';
export type { GitCredential, GitRepository, Platform, RepositoryLabels } from './platform.ts';
export {
  PlatformError,
  type PlatformErrorCode,
  type PlatformErrorOptions,
  type PlatformErrorReason,
} from './platform-error.ts';
export type {
  AccessLevel,
  AccountFinder,
  AssigneeEditor,
  CallOptions,
  ChangeRequestDraft,
  ChangeRequests,
  CommentSource,
  CommentWriter,
  Identity,
  KnownComment,
  LabelEditor,
  LabelEventReader,
  ListCommentsOptions,
  OpenThreadOptions,
  OwnComments,
  PermissionReader,
  PlaceFailure,
  PlatformThread,
  ReactionWriter,
  RepositoryChanges,
  RepositoryReader,
  ReviewRequest,
  TaskFinder,
  TaskListing,
  TaskQuery,
  TaskSummary,
  ThreadHistory,
  ThreadReader,
  WantedComment,
} from './ports.ts';
export type { FoundRepository, RepositoryFinder, RepositoryQuery } from './repository-finder.ts';
export type {
  Check,
  Checks,
  ListChecksOptions,
  ProvenSource,
  ReviewAnswer,
  ReviewPorts,
  ReviewThread,
  ReviewThreads,
} from './review-ports.ts';
export {
  type CustomTaskKey,
  formatTaskKey,
  type GitHubTaskKey,
  type GitLabIssueKey,
  type GitLabMergeRequestKey,
  parseTaskKey,
  parseTaskKeyJson,
  type TaskKey,
  type TaskKeyJson,
  toRepositoryName,
  toTaskKeyJson,
} from './task-key.ts';
