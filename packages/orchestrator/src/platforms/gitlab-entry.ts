import { baseUrl, type GitLabConfig, schema, tokenRights, tokenVariable } from './gitlab-config.ts';
import type { PlatformEntry } from './platform-entry.ts';

/** GitLab, on gitlab.com and on servers of one's own. */
export const gitLab = {
  schema,
  listPlaces: ({ projects }) => projects,
  connect: async (section, options) => (await import('./gitlab-connect.ts')).connectGitLab(section, options),
  openCredential: async (section, surroundings) =>
    (await import('./gitlab-connect.ts')).openGitLabCredential(section, surroundings),
  webhooks: {
    key: 'token_env',
    variable: 'GITLAB_WEBHOOK_TOKEN',
    createOrigin: async (token) => (await import('@agent/platforms/webhooks')).createGitLabOrigin({ token }),
  },
  examination: {
    findTokenPage: async (url) => (await import('@agent/platforms/examination')).findGitLabTokenPage(url),
    examineCredential: async (options) =>
      (await import('@agent/platforms/examination')).examineGitLabCredential(options),
    createExaminer: async (options) =>
      (await import('@agent/platforms/examination')).createGitLabExaminer(options),
  },
  init: { list: 'projects', baseUrl, ownBaseUrl: 'https://HOST', tokenVariable, tokenRights },
} satisfies PlatformEntry<GitLabConfig>;
