import { baseUrl, type GitHubConfig, schema, tokenRights, tokenVariable } from './github-config.ts';
import type { PlatformEntry } from './platform-entry.ts';

/** GitHub, on github.com and on Enterprise Server. */
export const gitHub = {
  schema,
  listPlaces: ({ repositories }) => repositories,
  connect: async (section, options) => (await import('./github-connect.ts')).connectGitHub(section, options),
  openCredential: async (section, surroundings) =>
    (await import('./github-connect.ts')).openGitHubCredential(section, surroundings),
  webhooks: {
    key: 'secret_env',
    variable: 'GITHUB_WEBHOOK_SECRET',
    createOrigin: async (secret) =>
      (await import('@agent/platforms/webhooks')).createGitHubOrigin({ secret }),
  },
  examination: {
    findTokenPage: async (url) => (await import('@agent/platforms/examination')).findGitHubTokenPage(url),
    examineCredential: async (options) =>
      (await import('@agent/platforms/examination')).examineGitHubCredential(options),
    createExaminer: async (options) =>
      (await import('@agent/platforms/examination')).createGitHubExaminer(options),
  },
  init: { list: 'repositories', baseUrl, ownBaseUrl: 'https://HOST/api/v3', tokenVariable, tokenRights },
} satisfies PlatformEntry<GitHubConfig>;
