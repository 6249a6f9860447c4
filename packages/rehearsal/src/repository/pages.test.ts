import { describe, expect, it } from 'vitest';
import { createGitHubClient } from './github-client.ts';
import { createGitLabClient } from './gitlab-client.ts';

const create = { github: createGitHubClient, gitlab: createGitLabClient } as const;
const issue = { title: 'Agent rehearsal', body: 'a & b', label: 'agent rehearsal' };

describe.each([
  ['github', 'https://api.github.com', 'https://github.com/acme/shop'],
  ['github', 'https://api.octocorp.ghe.com', 'https://octocorp.ghe.com/acme/shop'],
  ['github', 'https://git.example.com/api/v3', 'https://git.example.com/acme/shop'],
  ['github', 'https://git.example.com:8443/api/v3/', 'https://git.example.com:8443/acme/shop'],
  ['gitlab', 'https://gitlab.com', 'https://gitlab.com/acme/shop/-'],
  ['gitlab', 'https://git.example.com/gitlab', 'https://git.example.com/gitlab/acme/shop/-'],
  ['gitlab', 'https://git.example.com/gitlab/', 'https://git.example.com/gitlab/acme/shop/-'],
] as const)('the pages of a client of %s at %s', (platform, baseUrl, site) => {
  const asked: string[] = [];
  const { pages, removeCreated } = create[platform]({
    ...{ baseUrl, repository: 'acme/shop', token: async () => 'token', timeoutMs: 1_000 },
    fetch: async (input) => {
      asked.push(String(input));
      return Response.json({});
    },
    signal: new AbortController().signal,
  });

  it.each([
    ['branch', pages.branch('agent/1')],
    ['label', pages.label('agent rehearsal')],
    ['list of issues', pages.issues('Agent rehearsal')],
    ['new issue', pages.newIssue(issue)],
  ])('are below the site: %s', (_name, page) => {
    expect(page.startsWith(`${site}/`), page).toBe(true);
  });

  it('propose title and text of the issue', () => {
    const { pathname, searchParams } = new URL(pages.newIssue(issue));
    expect(pathname).toMatch(/\/issues\/new$/);
    expect([...searchParams.values()]).toEqual(
      platform === 'github' ? [issue.title, issue.body, issue.label] : [issue.title, issue.body],
    );
  });

  it('belong to the API that is asked', async () => {
    await removeCreated.deleteThread({ kind: 'issue', number: 1 }, 'node');
    const { host } = new URL(baseUrl);
    expect(new URL(asked[0] ?? '').host).toBe(host);
    expect(asked[0]).toMatch(
      platform === 'gitlab'
        ? /^https:\/\/[^/]+(?:\/gitlab)?\/api\/v4\/projects\/acme%2Fshop\/issues\/1$/
        : /^https:\/\/[^/]+(?:\/api)?\/graphql$/,
    );
  });
});
