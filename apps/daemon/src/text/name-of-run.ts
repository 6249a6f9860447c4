/** What names the thread of a run. */
export interface RunName {
  /** `github_issue:acme:shop:42` */
  readonly taskKeyText: string;
}

const gitHub = /^github_(?:issue|pull_request):(?<owner>[^:]+):(?<repo>[^:]+):(?<number>\d+)$/;

/** How people name a thread, such as `acme/shop#42`; the key itself where it has no other name. */
export function nameOfRun({ taskKeyText }: RunName): string {
  const { owner, repo, number } = gitHub.exec(taskKeyText)?.groups ?? {};
  return owner === undefined ? taskKeyText : `${owner}/${repo}#${number}`;
}
