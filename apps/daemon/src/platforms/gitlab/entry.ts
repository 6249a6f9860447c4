import type { PlatformEntry } from '../platform-entry.ts';
import { baseUrl, type GitLabConfig, schema, tokenVariable } from './config.ts';

/** GitLab, on gitlab.com and on servers of one's own. */
export const gitLab = {
  schema,
  listPlaces: ({ projects }) => projects,
  connect: async (section, options) => (await import('./connect.ts')).connectGitLab(section, options),
  webhooks: {
    key: 'token_env',
    variable: 'GITLAB_WEBHOOK_TOKEN',
    createOrigin: async (token) => (await import('@agent/platforms/webhooks')).createGitLabOrigin({ token }),
  },
  doctor: {
    // https://docs.gitlab.com/user/profile/personal_access_tokens/
    tokenPage: (url) => `${withoutSlashes(new URL(url).href)}/-/user_settings/personal_access_tokens`,
    api: ({ base_url: url }, token) => ({
      base: `${withoutSlashes(url)}/api/v4`,
      headers: { 'private-token': token, 'content-type': 'application/json' },
      username: 'oauth2',
    }),
    check: async (probe, section) => (await import('./check-project.ts')).checkProject(probe, section),
  },
  init: { list: 'projects', baseUrl, tokenVariable },
} satisfies PlatformEntry<GitLabConfig>;

function withoutSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}
