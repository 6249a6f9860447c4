import { z } from 'zod';
import { accountShape, labelsShape, withDifferentLabels } from '../section.ts';

/** Address of its API, unless the configuration names another. */
export const baseUrl = 'https://gitlab.com';
export const tokenVariable = 'GITLAB_TOKEN';

/** Its section of the configuration. */
export const schema = withDifferentLabels({
  ...accountShape({ baseUrl, tokenVariable }),
  projects: z
    .array(z.string().regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must look like group/project, without a host'))
    .min(1, 'name at least one project, as group/project'),
  /** Treatment of confidential issues in projects that others read, too. */
  confidential_issues: z.enum(['refuse', 'allow']).default('refuse'),
  ...labelsShape,
});

/** GitLab's section of the configuration. */
export type GitLabConfig = z.infer<typeof schema>;
