import type { RehearsalConfig } from '../rehearsal-config.ts';
import type { Desk, DeskOptions } from './desk.ts';
import { createGitHubDesk } from './github-desk.ts';
import { createGitLabDesk } from './gitlab-desk.ts';

const create = { github: createGitHubDesk, gitlab: createGitLabDesk } as const;

/** Opens the desk of one account in the repository of a rehearsal. */
export function openDesk(
  config: RehearsalConfig,
  options: Pick<DeskOptions, 'token' | 'fetch' | 'signal'>,
): Desk {
  const section = sectionOf(config);
  return create[config.platform]({
    ...{ ...options, baseUrl: section.base_url, repository: config.repository },
    timeoutMs: section.timeout_seconds * 1_000,
  });
}

/** Page on which a user opens an issue with this title and text. */
export function toNewIssuePage(
  config: RehearsalConfig,
  { title, body, label }: { readonly title: string; readonly body: string; readonly label: string },
): string {
  const { origin, host } = new URL(sectionOf(config).base_url);
  if (config.platform === 'gitlab') {
    const query = new URLSearchParams({ 'issue[title]': title, 'issue[description]': body });
    return `${origin}/${config.repository}/-/issues/new?${query}`;
  }
  const site = host === 'api.github.com' ? 'https://github.com' : origin;
  return `${site}/${config.repository}/issues/new?${new URLSearchParams({ title, body, labels: label })}`;
}

function sectionOf({ loaded, platform }: RehearsalConfig) {
  const section = loaded.config.platforms[platform];
  if (section === null)
    throw new Error(`The configuration of a rehearsal has a section platforms.${platform}.`);
  return section;
}
