import { z } from 'zod';
import { accountShape, labelsShape, withDifferentLabels } from '../section.ts';

/** Address of its API, unless the configuration names another. */
export const baseUrl = 'https://api.github.com';
export const tokenVariable = 'GITHUB_TOKEN';

/** Its section of the configuration. */
export const schema = withDifferentLabels({
  ...accountShape({ baseUrl, tokenVariable }),
  repositories: z
    .array(z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'must look like owner/repository, without a host'))
    .min(1, 'name at least one repository, as owner/repository'),
  ...labelsShape,
});

/** GitHub's section of the configuration. */
export type GitHubConfig = z.infer<typeof schema>;
