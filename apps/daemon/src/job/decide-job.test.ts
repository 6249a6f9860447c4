import { describe, expect, it } from 'vitest';
import { decideJob, nameRecord } from './decide-job.ts';
import type { JobEvent } from './job-event.ts';

const event: JobEvent = {
  platform: 'github',
  name: 'issue_comment',
  action: 'created',
  repository: {
    path: 'acme/shop',
    serverUrl: 'https://github.com',
    apiUrl: 'https://api.github.com',
    cloneUrl: 'https://github.com/acme/shop.git',
    isPublic: false,
  },
  thread: {
    kind: 'issue',
    number: 42,
    url: 'https://github.com/acme/shop/issues/42',
    branch: null,
    isFromFork: false,
  },
  actor: { login: 'alice', isBot: false },
  text: 'Please fix it.',
};

const decide = (change: Partial<JobEvent>, ownLogin: string | null = 'acme-agent') =>
  decideJob({ ...event, ...change }, { ownLogin });

describe('decideJob', () => {
  it('runs the thread of a comment, a label, a review, and one that is named by hand', () => {
    const { thread } = event;
    expect(decide({})).toEqual({ kind: 'run', thread });
    expect(decide({ name: 'issues', action: 'labeled' })).toEqual({ kind: 'run', thread });
    expect(decide({ name: 'pull_request_review', action: 'submitted' }).kind).toBe('run');
    const bot = { login: 'github-actions[bot]', isBot: true };
    expect(decide({ name: 'workflow_dispatch', action: null, actor: bot }).kind).toBe('run');
    expect(decide({ platform: 'gitlab', name: 'note', action: null }).kind).toBe('run');
    expect(decide({ platform: 'gitlab', name: 'manual', action: null }).kind).toBe('run');
  });

  it.each([
    [{ actor: { login: 'Acme-Agent', isBot: false } }, 'own-act'],
    [{ text: '<!-- agent-comment: run:1:final -->\nDone.' }, 'own-act'],
    [{ actor: { login: 'renovate[bot]', isBot: true } }, 'bot'],
    [{ thread: null }, 'no-thread'],
    [{ action: 'deleted' }, 'other-action'],
    [{ platform: 'gitlab', name: 'system note' }, 'other-action'],
    [{ thread: { ...event.thread, kind: 'request', isFromFork: true } }, 'fork'],
  ] as [Partial<JobEvent>, string][])('skips %j: %s', (change, reason) => {
    expect(decide(change)).toEqual({ kind: 'skip', reason });
  });

  it('refuses events that give secrets to code of others, and those that it does not know', () => {
    for (const name of ['pull_request_target', 'pull_request', 'workflow_run', 'push'])
      expect(decide({ name })).toEqual({ kind: 'refuse', reason: 'unsafe-event' });
    for (const name of ['watch', 'constructor', ''])
      expect(decide({ name })).toEqual({ kind: 'refuse', reason: 'unknown-event' });
  });
});

describe('nameRecord', () => {
  it('files a draft of the agent under its issue, and everything else under its own number', () => {
    const name = (thread: Partial<NonNullable<JobEvent['thread']>>, branchPrefix = 'agent') =>
      nameRecord({ kind: 'request', number: 57, branch: null, ...thread }, { branchPrefix });
    expect(name({ kind: 'issue', number: 42 })).toBe('refs/agent/records/issue-42');
    expect(name({ branch: 'agent/issue-42-the-total' })).toBe('refs/agent/records/issue-42');
    expect(name({ branch: 'agent-issue-42-the-total' })).toBe('refs/agent/records/issue-42');
    expect(name({ branch: 'bots/a/issue-42-x' }, 'bots/a')).toBe('refs/agent/records/issue-42');
    for (const branch of [null, 'count', 'agent/issue-x-1', 'agent/request-42-x'])
      expect(name({ branch })).toBe('refs/agent/records/request-57');
  });
});
