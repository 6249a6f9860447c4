import { createMemoryPlatform } from '@agent/platforms/memory';
import { createOutgoingGate, listPlaces } from '@agent/text/outgoing';
import { describe, expect, it } from 'vitest';
import { tellingOfComments, withOutgoingGate } from './with-outgoing-gate.ts';

const secret = 'a-password-of-9-plums';
const places = listPlaces({
  directories: {
    '/srv/agent/contexts': 'the directory of runs',
    '/srv/agent': 'the directory of the configuration',
    '/app': 'x',
  },
  endpoints: ['http://llm.internal:8080/v1'],
  publicHosts: ['git.internal'],
});
const gate = createOutgoingGate({ secrets: [secret], places });

describe('the outgoing gate', () => {
  it('leaves no address of the model endpoint and no directory of this machine [NX-39]', async () => {
    expect(
      await gate.cleanText(
        'http://llm.internal:8080/v1/chat gave 503; connect llm.internal:8080, ENOTFOUND llm.internal; EACCES /srv/agent/contexts/a.json, /srv/agent/x and /srv/agents, /app/y',
      ),
    ).toBe(
      'the model endpoint/chat gave 503; connect the model endpoint, ENOTFOUND the model endpoint; EACCES the directory of runs/a.json, the directory of the configuration/x and /srv/agents, /app/y',
    );
  });

  it('keeps the addresses of the platform, where it shares a host with the model [NX-39]', async () => {
    const shared = listPlaces({
      directories: {},
      endpoints: ['https://git.internal/llm/v1'],
      publicHosts: ['git.internal'],
    });
    const { cleanText } = createOutgoingGate({ secrets: [], places: shared, linkHosts: ['git.internal'] });
    expect(
      await cleanText('see https://git.internal/a/b/-/issues/1, https://git.internal/llm/v1 is down'),
    ).toBe('see https://git.internal/a/b/-/issues/1, the model endpoint is down');
  });

  it('hides what only becomes a secret, or a place, when characters that no page shows are taken out [NX-37, NX-39]', async () => {
    for (const sign of ['\u202a', '\u2066', '\u0001', '\u{e0020}']) {
      const split = (text: string) => [...text].join(sign);
      const text = `${split(secret)} ${split('ghp_0123456789abcdefghijABCDEFGHIJ012345')} ${split('/srv/agent')}/a`;
      const shown = '[REDACTED] [REDACTED] the directory of the configuration/a';
      expect(await gate.cleanText(text)).toBe(shown);
      expect(await gate.cleanLine(text)).toBe(shown);
    }
  });

  it('stands before every comment, title and body [NX-37, NX-38]', async () => {
    const memory = createMemoryPlatform();
    const key = memory.people.openIssue({ author: 'alice', title: 'Hello' });
    memory.people.pushBranch('octo/hello', { name: 'agent/issue-1', files: { 'a.txt': 'a' } });
    const { writer, ownComments, changeRequests } = withOutgoingGate(memory, gate).openThread(key);
    const said = `${secret} @octocat fixes #99`;
    const shown = '[REDACTED] @\u200boctocat f\u200bixes #\u200b99';

    const { id } = await writer.ensureComment({ topic: 'run:1:final', body: said });
    expect(memory.people.commentsOn(key)[0]?.body).toContain(shown);
    await ownComments?.edit({ id, topic: 'run:1:final', body: `again ${said}` });
    expect(memory.people.commentsOn(key)[0]?.body).toContain(`again ${shown}`);

    const branches = { headBranch: 'agent/issue-1', baseBranch: 'main' };
    const draft = { ...branches, title: `Fix\n${said} [skip ci]`, body: said };
    const joinBody = (_current: string | null, body: string) => `Closes #1, as @alice wrote\n\n${body}`;
    const opened = await changeRequests?.ensureDraft({ ...draft, joinBody });
    const found = await changeRequests?.findChangeRequest(branches);
    expect(found).toMatchObject({ number: opened?.number });
    const request = {
      type: 'github_pull_request',
      owner: 'octo',
      repo: 'hello',
      number: opened?.number ?? 0,
    } as const;
    const { title, body } = await memory.openThread(request).reader.readThread();
    expect(title).toBe('Fix [REDACTED] @\u200boctocat f\u200bixes #\u200b99 [\u200bskip ci]');
    expect(body).toContain(`Closes #1, as @alice wrote\n\n${shown}`);
  });

  it('stands before every answer in a review thread [NX-185]', async () => {
    const memory = createMemoryPlatform();
    const key = memory.people.openPullRequest({ author: 'alice', title: 'Hello', headBranch: 'hello' });
    memory.reviewers.commentOnLine(key, { author: 'alice', body: 'Why?', path: 'a.txt', line: 1 });
    const { threads } = withOutgoingGate(memory, gate).openReview?.(key) ?? {};
    const reviewThread = (await threads?.list())?.[0]?.id ?? '';
    await threads?.answer({ reviewThread, topic: 'run:1:answer', body: `${secret} @octocat` });
    const said = (await threads?.list())?.[0]?.comments.map(({ body }) => body) ?? [];
    expect(said).toEqual(['Why?', expect.stringContaining('[REDACTED] @\u200boctocat')]);
  });
});

describe('a platform that tells of its comments', () => {
  it('tells of each that is made, and of no edit [NX-237]', async () => {
    const memory = createMemoryPlatform();
    let made = 0;
    const told = tellingOfComments(memory, () => {
      made += 1;
    });
    const key = memory.people.openPullRequest({ author: 'alice', title: 'Hello', headBranch: 'hello' });
    const { writer } = told.openThread(key);
    for (const body of ['one', 'one', 'two']) await writer.ensureComment({ topic: 'run:1:status', body });
    expect(made).toBe(1);
    await writer.ensureComment({ topic: 'run:1:final', body: 'done' });
    memory.reviewers.commentOnLine(key, { author: 'alice', body: 'Why?', path: 'a.txt', line: 1 });
    const { threads } = told.openReview?.(key) ?? {};
    const reviewThread = (await threads?.list())?.[0]?.id ?? '';
    for (const body of ['So.', 'So that.'])
      await threads?.answer({ reviewThread, topic: 'run:1:answer', body });
    expect(made).toBe(3);
  });
});
