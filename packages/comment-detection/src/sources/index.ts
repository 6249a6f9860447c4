export { createCommentSource, type ThreadOf } from './create-comment-source.ts';
export type { GitbeakerLike } from './gitbeaker-lists.ts';
export type { GitLabThread } from './gitbeaker-source.ts';
export type { OctokitLike } from './octokit-requests.ts';
export type { GitHubThread } from './octokit-source.ts';
export type { SourceInclude, SourceOptions } from './source-options.ts';
