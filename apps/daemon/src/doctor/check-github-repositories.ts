import { z } from 'zod';
import type { GitHubConfig } from '../config/platform-schema.ts';
import { readSecret } from '../config/read-secret.ts';
import { type Answer, ask, type Question } from './ask.ts';
import type { DoctorParts } from './doctor-parts.ts';
import { type AreaReport, reportOn } from './finding.ts';
import { listOwnLabels } from './list-own-labels.ts';
import { gitHubOrigin, gitHubTokenPage } from './token-pages.ts';

const repositorySchema = z.object({
  clone_url: z.string(),
  archived: z.boolean().nullish(),
  has_issues: z.boolean().nullish(),
});

interface Repository {
  readonly path: string;
  readonly github: GitHubConfig;
  readonly ask: (question: Omit<Question, 'headers'>) => Promise<Answer>;
  readonly askGit: (cloneUrl: string) => Promise<Answer>;
  readonly report: AreaReport;
  readonly parts: DoctorParts;
}

/** What the token may do in each repository, found out without changing anything. */
export async function checkGitHubRepositories(github: GitHubConfig, parts: DoctorParts): Promise<void> {
  const token = readSecret(parts.loaded.environment, { name: github.token_env, purpose: 'the GitHub token' });
  const options = { fetch: parts.fetch, timeoutMs: github.timeout_seconds * 1_000, signal: parts.signal };
  const base = github.base_url.replace(/\/+$/, '');
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' };
  const basic = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const report = reportOn('github', parts.report);
  for (const path of github.repositories) {
    const repository: Repository = {
      path,
      github,
      report,
      parts,
      ask: ({ url, ...question }) => ask({ ...question, url: `${base}${url}`, headers }, options),
      askGit: (cloneUrl) => {
        const url = `${cloneUrl}/info/refs?service=git-receive-pack`;
        return ask({ url, headers: { authorization: basic } }, options);
      },
    };
    await checkRepository(repository).catch((error: Error) =>
      report.failed(parts.texts.notAsked(path, error.message), {
        mend: parts.texts.mendAddress('platforms.github.base_url'),
      }),
    );
  }
}

async function checkRepository(repository: Repository): Promise<void> {
  const { path, report, github, parts } = repository;
  const { texts } = parts;
  const { status, json } = await repository.ask({ url: `/repos/${path}` });
  const parsed = repositorySchema.safeParse(json);
  if (status !== 200 || !parsed.success) {
    const url = gitHubTokenPage(github.base_url);
    report.failed(texts.cannotSee(path, status), { mend: texts.mendAccess(path), url });
    return;
  }
  const settings = `${gitHubOrigin(github.base_url)}/${path}/settings`;
  const { archived, has_issues: hasIssues, clone_url: cloneUrl } = parsed.data;
  if (archived === true) {
    report.failed(texts.archived(path), { mend: texts.mendArchived, url: settings });
    return;
  }
  if (hasIssues === false) report.warning(texts.noIssues(path), { mend: texts.mendIssues, url: settings });
  const rights = await checkRights(repository, { cloneUrl, hasIssues: hasIssues !== false });
  if (rights) report.ok(texts.mayWrite(path));
  await checkLabels(repository);
}

/**
 * Asks for each right with a request that cannot succeed: without content it is refused with 422, without the
 * right with 403 or 404, which comes first.
 */
async function checkRights(
  repository: Repository,
  { cloneUrl, hasIssues }: { readonly cloneUrl: string; readonly hasIssues: boolean },
): Promise<boolean> {
  const empty = (url: string) => repository.ask({ url, method: 'POST', body: '{}' });
  const { path } = repository;
  // Labels may be made with the right to pull requests as well, so issues are asked for by an issue where there are any.
  const issues = hasIssues ? 'issues' : 'labels';
  const rights = [
    { right: 'contents: write', granted: 200, answer: await repository.askGit(cloneUrl) },
    { right: 'issues: write', granted: 422, answer: await empty(`/repos/${path}/${issues}`) },
    { right: 'pull requests: write', granted: 422, answer: await empty(`/repos/${path}/pulls`) },
  ];
  for (const right of rights) reportRight(repository, right);
  return rights.every(({ granted, answer }) => answer.status === granted);
}

function reportRight(
  { path, report, github, parts }: Repository,
  { right, granted, answer }: { readonly right: string; readonly granted: number; readonly answer: Answer },
): void {
  const { texts } = parts;
  const { status } = answer;
  if (status === granted) return;
  const mend = { mend: texts.mendRight(right), url: gitHubTokenPage(github.base_url) };
  if ([401, 403, 404].includes(status)) report.failed(texts.mayNot(path, right, status), mend);
  else report.warning(texts.unknownAnswer(path, right, status), mend);
}

async function checkLabels({ path, ask: question, report, github, parts }: Repository): Promise<void> {
  const missing: string[] = [];
  for (const label of listOwnLabels(github)) {
    const { status } = await question({ url: `/repos/${path}/labels/${encodeURIComponent(label)}` });
    if (status === 404) missing.push(label);
    else if (status !== 200) return;
  }
  const { texts } = parts;
  report.ok(missing.length === 0 ? texts.labelsThere(path) : texts.labelsMissing(path, missing.join(', ')));
}
