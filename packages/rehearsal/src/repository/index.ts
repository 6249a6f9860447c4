export { createGitHubClient } from './github-client.ts';
export { createGitLabClient } from './gitlab-client.ts';
export type {
  CommentState,
  DiffLine,
  RepositoryClient,
  RepositoryClientOptions,
  RepositoryPages,
  RequestState,
  ThreadReference,
} from './repository-client.ts';
export { PlatformRequestError } from './send-request.ts';
