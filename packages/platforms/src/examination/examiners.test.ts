import { describe, expect, it } from 'vitest';
import { type GitLabFixture, onGitLab } from '../../test/fixtures/gitlab-fixture.ts';
import { tokenOf } from '../../test/fixtures/rest-people.ts';
import { onSimulator, type SimulatorFixture } from '../../test/fixtures/simulator-fixture.ts';
import { PlatformError } from '../platform-error.ts';
import { contractWorld } from '../testing/index.ts';
import { createGitHubExaminer, findGitHubTokenPage } from './github-examiner.ts';
import { createGitLabExaminer, findGitLabTokenPage } from './gitlab-examiner.ts';
import type { ExaminerOptions, RepositoryExaminer, RepositoryFinding } from './repository-probe.ts';

const { repository, agent } = contractWorld;

async function listFindings(examine: RepositoryExaminer, path: string = repository) {
  const findings: RepositoryFinding[] = [];
  for await (const finding of examine(path)) findings.push(finding);
  return findings;
}

type Changes = Partial<ExaminerOptions>;

const toOptions = (baseUrl: string, changes: Changes): ExaminerOptions => ({
  baseUrl,
  token: tokenOf(agent),
  login: agent,
  trigger: { kind: 'mention' },
  askGit: async () => {},
  ...changes,
});

const onGitHubWith = ({ simulator }: SimulatorFixture, changes: Changes = {}) =>
  createGitHubExaminer(toOptions(simulator.url, changes));

const onGitLabWith = ({ simulator }: GitLabFixture, changes: Changes = {}) =>
  createGitLabExaminer(toOptions(simulator.url, changes));

/** In a repository whose default branch is protected. */
const onProtected = (use: (fixture: SimulatorFixture) => Promise<void>) =>
  onSimulator(async (fixture) => {
    await fixture.simulator.protectBranch(repository, 'main');
    await use(fixture);
  });

describe('the examiner of GitHub', () => {
  it('tells that all is well, and changes nothing', () =>
    onProtected(async (fixture) => {
      expect(await listFindings(onGitHubWith(fixture))).toEqual([
        { kind: 'may-write' },
        { kind: 'mentioned', login: agent },
      ]);
      const written = fixture.simulator.requests.filter(({ method }) => method !== 'GET');
      expect(written.map(({ status }) => status)).toEqual([422, 422]);
      expect(fixture.simulator.threads(repository)).toHaveLength(1);
    }));

  it('tells which right a token lacks, and of a repository that it cannot see nothing else', () =>
    onProtected(async (fixture) => {
      const token = 'github_pat_that_may_only_read_issues_0001';
      fixture.simulator.addToken({ token, login: agent, permissions: { issues: 'read' } });
      expect(await listFindings(onGitHubWith(fixture, { token }))).toMatchObject([
        { kind: 'right-missing', right: 'issues: write', status: 403 },
        { kind: 'checks-hidden', shown: 'jobs' },
        { kind: 'mentioned' },
      ]);
      expect(await listFindings(onGitHubWith(fixture), 'octo/other')).toEqual([
        { kind: 'invisible', status: 404, message: 'Not Found' },
      ]);
    }));

  it('tells how checks are heard where a token may not read them [NX-188]', () =>
    onProtected(async (fixture) => {
      const shownTo = async (permissions: { readonly checks: 'none'; readonly actions: 'read' | 'none' }) => {
        const token = `github_pat_with_actions_${permissions.actions}_0123456789`;
        fixture.simulator.addToken({ token, login: agent, permissions });
        const findings = await listFindings(onGitHubWith(fixture, { token }));
        return findings.filter(({ kind }) => kind === 'checks-hidden');
      };
      expect(await shownTo({ checks: 'none', actions: 'read' })).toEqual([
        { kind: 'checks-hidden', shown: 'jobs' },
      ]);
      expect(await shownTo({ checks: 'none', actions: 'none' })).toEqual([
        { kind: 'checks-hidden', shown: 'nothing' },
      ]);
    }));

  it('tells which labels are missing: the one that people set apart from the others', () =>
    onProtected(async (fixture) => {
      const trigger = { kind: 'label', label: 'coding agent', others: ['done', 'failed'] } as const;
      const examine = onGitHubWith(fixture, { trigger });
      expect((await listFindings(examine)).slice(1)).toEqual([
        { kind: 'label-missing', label: 'coding agent' },
        { kind: 'labels-missing', labels: ['done', 'failed'] },
      ]);
      fixture.simulator.addLabels(repository, 1, ['coding agent', 'done', 'failed']);
      expect((await listFindings(examine)).slice(1)).toEqual([{ kind: 'labels-there' }]);
    }));

  it('tells whether the account can be assigned', () =>
    onProtected(async (fixture) => {
      const trigger = { kind: 'assignment' } as const;
      const toLast = async (login: string) =>
        (await listFindings(onGitHubWith(fixture, { trigger, login }))).at(-1);
      expect(await toLast(agent)).toEqual({ kind: 'assignable', login: agent });
      expect(await toLast('nobody')).toEqual({ kind: 'not-assignable', login: 'nobody' });
    }));

  it('says what git said where the API answers, with the login that git takes', () =>
    onProtected(async (fixture) => {
      const logins: string[] = [];
      const askGit: ExaminerOptions['askGit'] = async ({ cloneUrl, username }) => {
        logins.push(`${username} ${new URL(cloneUrl).pathname}`);
        throw new Error('no proxy');
      };
      expect(await listFindings(onGitHubWith(fixture, { askGit }))).toMatchObject([
        { kind: 'git-fails', reason: 'no proxy', code: null },
        { kind: 'mentioned' },
      ]);
      expect(logins).toEqual([`x-access-token /${repository}.git`]);
    }));

  it('rejects where there is no answer, with the reason and without the token', async () => {
    const examine = createGitHubExaminer(toOptions('http://127.0.0.1:9', {}));
    const error = await listFindings(examine).catch((caught: unknown) => caught);
    expect(PlatformError.isInstance(error) && error.code).toBe('unavailable');
    expect(String(error)).not.toContain(tokenOf(agent));
  });

  it('knows where tokens are made, on github.com and on a server of its own', () => {
    const pages = ['https://api.github.com', 'https://git.example/api/v3'].map(findGitHubTokenPage);
    expect(pages).toEqual([
      'https://github.com/settings/personal-access-tokens',
      'https://git.example/settings/personal-access-tokens',
    ]);
  });

  it('tells that nothing keeps the account from pushing to the default branch', () =>
    onSimulator(async (fixture) => {
      const url = expect.stringMatching(/\/octo\/hello\/settings\/branches$/);
      const open = { kind: 'default-branch-open', branch: 'main', url };
      const examine = onGitHubWith(fixture);
      expect(await listFindings(examine)).toContainEqual(open);
      await fixture.simulator.setRuleset(repository, { branches: 'agent/*', rules: [] });
      expect(await listFindings(examine)).toContainEqual(open);
      await fixture.simulator.setRuleset(repository, { branches: 'ma*', rules: [] });
      expect(await listFindings(examine)).not.toContainEqual(open);
    }));

  it('sends nothing that writes where it may only read', () =>
    onProtected(async (fixture) => {
      const trigger = { kind: 'label', label: 'coding agent', others: [] } as const;
      const findings = await listFindings(onGitHubWith(fixture, { trigger, readsOnly: true }));
      expect(findings).toEqual([{ kind: 'label-missing', label: 'coding agent' }]);
      expect(fixture.simulator.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    }));

  it('waits out a limit of requests that names its time, once', () =>
    onProtected(async (fixture) => {
      const waits: number[] = [];
      const sleep = async (milliseconds: number) => void waits.push(milliseconds);
      fixture.simulator.fail({ path: `/repos/${repository}`, kind: 'secondary-limit', retryAfterSeconds: 9 });
      expect(await listFindings(onGitHubWith(fixture, { sleep }))).toMatchObject([
        { kind: 'may-write' },
        { kind: 'mentioned' },
      ]);
      expect(waits).toEqual([9_000]);
    }));

  it('waits for the reset of the hourly limit where that is near, and not longer than two minutes', () =>
    onProtected(async (fixture) => {
      const waits: number[] = [];
      const sleep = async (milliseconds: number) => void waits.push(milliseconds);
      const { simulator } = fixture;
      const now = () => Date.parse('2026-01-02T03:04:05Z');
      const examine = onGitHubWith(fixture, { sleep, now });
      simulator.fail({ path: `/repos/${repository}`, kind: 'primary-limit', retryAfterSeconds: 60 });
      expect(await listFindings(examine)).toMatchObject([{ kind: 'may-write' }, { kind: 'mentioned' }]);
      expect(waits).toEqual([61_000]);
      simulator.fail({ path: `/repos/${repository}`, kind: 'primary-limit', retryAfterSeconds: 3_000 });
      await expect(listFindings(examine)).rejects.toMatchObject({
        code: 'rate-limited',
        message: 'rate limited until 2026-01-02T03:54:06.000Z',
      });
      expect(waits).toHaveLength(1);
    }));
});

describe('the examiner of GitLab', () => {
  it('tells that all is well, and whether the account is a member to assign', () =>
    onGitLab(async (fixture) => {
      const trigger = { kind: 'assignment' } as const;
      expect(await listFindings(onGitLabWith(fixture, { trigger }))).toEqual([
        { kind: 'may-write' },
        { kind: 'assignable', login: agent },
      ]);
    }));

  it('tells of a role that is too low, and where it is given', () =>
    onGitLab(async (fixture) => {
      fixture.simulator.setAccess(repository, agent, 'reporter');
      expect(await listFindings(onGitLabWith(fixture))).toEqual([
        { kind: 'role-too-low', level: 20, url: expect.stringMatching(/\/-\/project_members$/) },
      ]);
    }));

  it('tells that the account can push to the default branch', () =>
    onGitLab(async (fixture) => {
      fixture.simulator.unprotectBranch(repository, 'main');
      expect(await listFindings(onGitLabWith(fixture))).toContainEqual({
        kind: 'default-branch-open',
        branch: 'main',
        url: expect.stringMatching(/\/-\/settings\/repository$/),
      });
    }));

  it('knows where tokens are made, below a path or not', () => {
    const pages = ['https://gitlab.com/', 'https://git.example/lab'].map(findGitLabTokenPage);
    expect(pages).toEqual([
      'https://gitlab.com/-/user_settings/personal_access_tokens',
      'https://git.example/lab/-/user_settings/personal_access_tokens',
    ]);
  });
});
