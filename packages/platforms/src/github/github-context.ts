import type { KnownLabels } from '../http/connection-memory.ts';
import type { Identity } from '../ports.ts';
import type { GitHubTaskKey } from '../task-key.ts';
import type { RememberingClient } from './github-answer-memory.ts';
import type { GitHubClient } from './github-client.ts';
import type { GitHubSettings } from './github-options.ts';

/** Parts that every port of one thread is made of. */
export interface GitHubThreadContext {
  readonly client: GitHubClient;
  /** The same client; what it asks of repositories is remembered for all their threads. */
  readonly repositories: RememberingClient;
  readonly settings: GitHubSettings;
  readonly identity: Identity;
  readonly key: GitHubTaskKey;
  /** `owner/repo` */
  readonly repository: string;
  /** `owner/repo#42`, for messages. */
  readonly name: string;
  /** Labels that the repositories are known to have: lower-case `owner/repo:name`. */
  readonly knownLabels: KnownLabels;
  /** Owner and repo, the placeholders of most routes. */
  readonly place: { readonly owner: string; readonly repo: string };
}
