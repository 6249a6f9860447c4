import { z } from 'zod';
import {
  type RepositoryProbe,
  reportGit,
  reportRights,
  reportTrigger,
} from '../../doctor/repository-probe.ts';
import type { BuiltInSection } from '../section.ts';

const repositorySchema = z.object({
  clone_url: z.string(),
  archived: z.boolean().nullish(),
  has_issues: z.boolean().nullish(),
});

type Repository = z.infer<typeof repositorySchema>;

/** Finds out what the token may do in one repository, without changing anything; `origin` is where people look at it. */
export async function checkRepository(
  probe: RepositoryProbe,
  { section, origin }: { readonly section: BuiltInSection; readonly origin: string },
): Promise<void> {
  const { path, report, texts, tokenPage } = probe;
  const { status, json } = await probe.ask({ url: `/repos/${path}` });
  const parsed = repositorySchema.safeParse(json);
  if (status !== 200 || !parsed.success) {
    report.failed(texts.cannotSee(path, status), { fix: texts.fixAccess(path), url: tokenPage });
    return;
  }
  const settings = `${origin}/${path}/settings`;
  if (parsed.data.archived === true) {
    report.failed(texts.archived(path), { fix: texts.fixArchived, url: settings });
    return;
  }
  if (parsed.data.has_issues === false) {
    report.warning(texts.noIssues(path), { fix: texts.fixIssues, url: settings });
  }
  const hasRights = reportRights(probe, await probeRights(probe, parsed.data));
  const hasGit = await reportGit(probe, parsed.data.clone_url);
  if (hasRights && hasGit) report.ok(texts.mayWrite(path));
  const addresses = {
    label: (label: string) => `/repos/${path}/labels/${label}`,
    // https://docs.github.com/en/rest/issues/assignees#check-if-a-user-can-be-assigned
    askAssignable: async (login: string) => {
      const { status } = await probe.ask({ url: `/repos/${path}/assignees/${encodeURIComponent(login)}` });
      return status === 204 ? true : status === 404 ? false : null;
    },
  };
  await reportTrigger(probe, { section, addresses });
}

/**
 * Asks for each right with a request that cannot succeed: without content it is refused with 422, without the
 * right with 403 or 404, which comes first.
 */
async function probeRights({ path, ask, askPush }: RepositoryProbe, repository: Repository) {
  const empty = (url: string) => ask({ url, method: 'POST', body: '{}' });
  // Labels may be made with the right to pull requests as well, so issues are asked for by an issue where there are any.
  const issues = repository.has_issues === false ? 'labels' : 'issues';
  return [
    { right: 'contents: write', granted: 200, answer: await askPush(repository.clone_url) },
    { right: 'issues: write', granted: 422, answer: await empty(`/repos/${path}/${issues}`) },
    { right: 'pull requests: write', granted: 422, answer: await empty(`/repos/${path}/pulls`) },
  ];
}
