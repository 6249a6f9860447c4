import { z } from 'zod';
import { placeList } from './place-settings.ts';
import { requestBudgetsShape } from './request-budgets.ts';
import { accountShape, labelsShape, refuseExcludedNames, withDifferentLabels } from './section.ts';

/** Address of its API, unless the configuration names another. */
export const baseUrl = 'https://gitlab.com';
export const tokenVariable = 'GITLAB_TOKEN';
/** Rights that its tokens need, in its own words. */
export const tokenRights = 'scopes api and write_repository';

/** Words for its places. */
const language = { noun: 'project', subgroups: true };

/** Its section of the configuration. */
export const schema = withDifferentLabels({
  ...accountShape({ baseUrl, tokenVariable, language }),
  /** Names, and patterns: `group/*`, `group/**` with its subgroups. */
  projects: placeList(language).min(1, 'must contain at least one project, as group/project'),
  /** Treatment of confidential issues in projects that others read, too. */
  confidential_issues: z.enum(['refuse', 'allow']).default('refuse'),
  /** Limits that the daemon keeps by itself. It never makes more than 300 requests a minute. */
  request_budgets: requestBudgetsShape.omit({ secondary: true }).default({}),
  ...labelsShape,
}).superRefine(refuseExcludedNames('projects'));

/** GitLab's section of the configuration. */
export type GitLabConfig = z.infer<typeof schema>;
