export { createCommentSource } from './create-comment-source.ts';
export type { GitbeakerLike, GitLabThread } from './gitbeaker-source.ts';
export type { GitHubThread, OctokitLike } from './octokit-source.ts';
export type { SourceOptions } from './source-refusal.ts';
