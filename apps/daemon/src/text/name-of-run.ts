/** What names the thread of a run. */
export interface RunName {
  /** `github_issue:acme:shop:42` */
  readonly taskKeyText: string;
  /** Address of the thread, where it is known. */
  readonly url: string | null;
}

const gitHub = /^github_(?:issue|pull_request):(?<owner>[^:]+):(?<repo>[^:]+):(?<number>\d+)$/;
const gitLabUrl = /^https?:\/\/[^/]+\/(?<path>.+?)\/-\/(?<kind>issues|merge_requests)\/(?<number>\d+)$/;

/** How people name a thread: `acme/shop#42`, `group/project!7`; the key itself where it has no other name. */
export function nameOfRun({ taskKeyText, url }: RunName): string {
  const { owner, repo, number } = gitHub.exec(taskKeyText)?.groups ?? {};
  if (owner !== undefined) return `${owner}/${repo}#${number}`;
  const gitLab = taskKeyText.startsWith('gitlab_') ? gitLabUrl.exec(url ?? '')?.groups : undefined;
  if (gitLab === undefined) return taskKeyText;
  return `${gitLab.path}${gitLab.kind === 'issues' ? '#' : '!'}${gitLab.number}`;
}
