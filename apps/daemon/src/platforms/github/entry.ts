import type { PlatformEntry } from '../platform-entry.ts';
import { baseUrl, type GitHubConfig, schema, tokenVariable } from './config.ts';

/** GitHub, on github.com and on Enterprise Server. */
export const gitHub = {
  schema,
  listPlaces: ({ repositories }) => repositories,
  connect: async (section, options) => (await import('./connect.ts')).connectGitHub(section, options),
  webhooks: {
    key: 'secret_env',
    variable: 'GITHUB_WEBHOOK_SECRET',
    createOrigin: async (secret) =>
      (await import('@agent/platforms/webhooks')).createGitHubOrigin({ secret }),
  },
  doctor: {
    // https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/managing-your-personal-access-tokens
    tokenPage: (url) => `${toGitHubOrigin(url)}/settings/personal-access-tokens`,
    api: ({ base_url: url }, token) => ({
      base: url.replace(/(?<!\/)\/+$/, ''),
      headers: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
      username: 'x-access-token',
    }),
    check: async (probe, section) => {
      const { checkRepository } = await import('./check-repository.ts');
      await checkRepository(probe, { section, origin: toGitHubOrigin(section.base_url) });
    },
  },
  init: { list: 'repositories', baseUrl, tokenVariable },
} satisfies PlatformEntry<GitHubConfig>;

/** Finds the site on which people look at what this API serves. */
function toGitHubOrigin(url: string): string {
  const { origin, host } = new URL(url);
  return host === 'api.github.com' ? 'https://github.com' : origin;
}
