import { z } from 'zod';
import {
  type RepositoryProbe,
  reportGit,
  reportRights,
  reportTrigger,
} from '../../doctor/repository-probe.ts';
import type { BuiltInSection } from '../section.ts';

const access = z.object({ access_level: z.number() }).nullish();
const projectSchema = z.object({
  http_url_to_repo: z.string(),
  web_url: z.string(),
  archived: z.boolean().nullish(),
  permissions: z.object({ project_access: access, group_access: access }).nullish(),
});

/** People give threads to members: nobody else is offered to them as an assignee. */
const membersSchema = z.array(z.object({ username: z.string() }));

/** @see https://docs.gitlab.com/api/access_requests/#valid-access-levels */
const developer = 30;

/** Finds out what the token may do in one project, without changing anything. */
export async function checkProject(probe: RepositoryProbe, section: BuiltInSection): Promise<void> {
  const { path, report, texts, tokenPage } = probe;
  const address = `/projects/${encodeURIComponent(path)}`;
  const { status, json } = await probe.ask({ url: address });
  const parsed = projectSchema.safeParse(json);
  if (status !== 200 || !parsed.success) {
    report.failed(texts.cannotSee(path, status), { fix: texts.fixAccess(path), url: tokenPage });
    return;
  }
  const { archived, permissions, web_url: web, http_url_to_repo: cloneUrl } = parsed.data;
  if (archived === true) {
    report.failed(texts.archived(path), { fix: texts.fixArchived, url: `${web}/edit` });
    return;
  }
  const levels = [permissions?.project_access, permissions?.group_access];
  const level = Math.max(0, ...levels.map((one) => one?.access_level ?? 0));
  if (level > 0 && level < developer) {
    const url = `${web}/-/project_members`;
    report.failed(texts.roleTooLow(path, level), { fix: texts.fixRole, url });
    return;
  }
  // Without a name it is refused with 400, without the scope with 403, which comes first.
  const rights = [
    { right: 'write_repository', granted: 200, answer: await probe.askPush(cloneUrl) },
    {
      right: 'api',
      granted: 400,
      answer: await probe.ask({ url: `${address}/labels`, method: 'POST', body: '{}' }),
    },
  ];
  const hasRights = reportRights(probe, rights);
  const hasGit = await reportGit(probe, cloneUrl);
  if (hasRights && hasGit) report.ok(texts.mayWrite(path));
  const addresses = {
    label: (label: string) => `${address}/labels/${label}`,
    // https://docs.gitlab.com/api/project_members/#list-all-members-of-a-project-including-inherited-and-invited-members
    askAssignable: async (login: string) => {
      const query = `query=${encodeURIComponent(login)}&per_page=100`;
      const { success, data } = membersSchema.safeParse(
        (await probe.ask({ url: `${address}/members/all?${query}` })).json,
      );
      return success ? data.some(({ username }) => username === login) : null;
    },
  };
  await reportTrigger(probe, { section, addresses });
}
