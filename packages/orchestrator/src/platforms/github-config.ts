import { gitHubAppSchema } from '@agent/platforms/credentials';
import type { z } from 'zod';
import { placeList } from './place-settings.ts';
import { accountShape, labelsShape, refuseExcludedNames, withDifferentLabels } from './section.ts';

/** Address of its API, unless the configuration names another. */
export const baseUrl = 'https://api.github.com';
export const tokenVariable = 'GITHUB_TOKEN';
/** Rights that its tokens need, in its own words. */
export const tokenRights = 'contents, issues and pull requests: read and write';

/** Words for its places. */
const language = { noun: 'repository', subgroups: false };

/** Its section of the configuration. */
export const schema = withDifferentLabels({
  ...accountShape({ baseUrl, tokenVariable, language }),
  /** The GitHub App that works, instead of the account of a token. */
  app: gitHubAppSchema.nullable().default(null),
  /** Names, and patterns: `acme/*`. */
  repositories: placeList(language).min(1, 'must contain at least one repository, as owner/repository'),
  ...labelsShape,
})
  .superRefine(refuseExcludedNames('repositories'))
  .superRefine(({ app, repositories }, context) => {
    const owners = new Set(repositories.map((path) => path.split('/')[0]?.toLowerCase()));
    if (app === null || owners.size < 2) return;
    const message =
      'belong to several owners, but an App is installed for one owner. Run one daemon per owner.';
    context.addIssue({ code: 'custom', path: ['repositories'], message });
  });

/** GitHub's section of the configuration. */
export type GitHubConfig = z.infer<typeof schema>;
