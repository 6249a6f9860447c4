import type { Repository, Thread } from '../state/model.ts';

/** Addresses in answers: those of REST with the prefix that the client used, and the pages. */
export interface Urls {
  /** Base of the REST API, without a slash at its end. */
  readonly api: string;
  /** Base of the pages that people open, and of git. */
  readonly web: string;
}

/** REST address of a repository. */
export function repositoryApi(urls: Urls, repository: Repository): string {
  return `${urls.api}/repos/${repository.owner.login}/${repository.name}`;
}

/** Page of a repository. */
export function repositoryPage(urls: Urls, repository: Repository): string {
  return `${urls.web}/${repository.owner.login}/${repository.name}`;
}

/** REST address of a thread as an issue. */
export function issueApi(urls: Urls, thread: Thread): string {
  return `${repositoryApi(urls, thread.repository)}/issues/${thread.number}`;
}

/** REST address of a thread as a pull request. */
export function pullApi(urls: Urls, thread: Thread): string {
  return `${repositoryApi(urls, thread.repository)}/pulls/${thread.number}`;
}

/** Page of a thread. */
export function threadPage(urls: Urls, thread: Thread): string {
  const kind = thread.pull ? 'pull' : 'issues';
  return `${repositoryPage(urls, thread.repository)}/${kind}/${thread.number}`;
}
