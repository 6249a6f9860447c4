import { afterEach, describe, expect, it } from 'vitest';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { Forge } from '../support/forge.ts';
import { createJobRunner } from '../support/job-runner.ts';
import { createModelGate } from '../support/model-gate.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };

async function open(options: Partial<WorldOptions> = {}) {
  const at = await startWorld({ script: answerScript, ...options });
  world = at;
  return { at, forge: at.forge, ...createJobRunner(at) };
}

const label = (reference: string) => ({ reference, label: 'coding agent' });

function listRecords({ gitDirectory }: Forge): Promise<string> {
  return import('node:child_process').then(
    ({ execFile }) =>
      new Promise((resolve) => {
        const args = ['--git-dir', gitDirectory, 'for-each-ref', '--format=%(refname)', 'refs/agent'];
        execFile('git', args, (_, stdout) => resolve(stdout.trim()));
      }),
  );
}

describe.each(forgesToTry('github'))('agent-daemon job on %s', (name) => {
  it('runs the issue of its event, and leaves its record in a ref', async () => {
    const { forge, start } = await open({ forges: [name], script: fixScript });
    const { reference } = forge.openIssue(issue);
    const { code, output } = await (await start(label(reference))).exited;
    expect(code, output).toBe(0);
    expect(forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(forge.changeRequests()).toHaveLength(1);
    expect(await listRecords(forge)).toBe(`refs/agent/records/issue-${reference.slice(1)}`);
  });

  it('continues the run of a job that was killed, on another machine, with its changes', async () => {
    const gate = createModelGate();
    const { forge, start } = await open({
      forges: [name],
      script: fixScript,
      config: { comment_detection: { enabled: true } },
      onModelRequest: gate.onModelRequest,
    });
    const { reference } = forge.openIssue(issue);
    const first = await start(label(reference));
    await gate.asked(1);
    for (let step = 1; step < 4; step += 1) {
      gate.letThrough();
      await gate.asked(step + 1);
    }
    first.child.kill('SIGKILL');
    await first.exited;
    gate.letThrough({ forEver: true });
    const commentId = forge.comment(reference, { author: 'alice', body: 'Please mention CRIMSON.' });
    const second = await (await start({ commentId, change: 'created' })).exited;
    expect(second.code, second.output).toBe(0);
    expect(forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(forge.changeRequests()).toHaveLength(1);
    expect(forge.thread(reference).comments.filter(({ author }) => author === 'robot')).toHaveLength(1);
  });

  it('continues a run whose job was killed before its first comment was answered', {
    tags: ['release'],
  }, async () => {
    const { promise: written, resolve: noteWritten } = Promise.withResolvers<void>();
    const { promise: killed, resolve: noteKilled } = Promise.withResolvers<void>();
    const { forge, start } = await open({
      forges: [name],
      onForgeRequest: async (request) => {
        if (!/^POST .*\/(comments|notes)$/.test(request)) return;
        noteWritten();
        await killed;
      },
    });
    const { reference } = forge.openIssue(issue);
    const first = await start(label(reference));
    await written;
    first.child.kill('SIGKILL');
    await first.exited;
    noteKilled();
    const { code, output } = await (await start(label(reference))).exited;
    expect(code, output).toBe(0);
    const { labels, statusComments, comments } = forge.thread(reference);
    expect([labels, statusComments.length, comments.length]).toEqual([['coding agent done'], 1, 1]);
  });

  it('works in one of two jobs of the same issue, and the other one writes nothing more', async () => {
    const gate = createModelGate();
    const { forge, start } = await open({
      forges: [name],
      script: fixScript,
      onModelRequest: gate.onModelRequest,
    });
    const { reference } = forge.openIssue(issue);
    const first = await start(label(reference));
    await gate.asked(1);
    const second = await start(label(reference));
    await second.printed(/replaced owner of the record/);
    gate.letThrough({ forEver: true });
    const [lost, won] = await Promise.all([first.exited, second.exited]);
    expect([lost.code, won.code], `${lost.output}\n${won.output}`).toEqual([75, 0]);
    expect(lost.output).toContain('Another process has taken refs/agent/records/issue-');
    const { labels, statusComments, comments } = forge.thread(reference);
    expect([labels, statusComments.length, comments.length]).toEqual([['coding agent done'], 1, 1]);
    expect(forge.changeRequests()).toHaveLength(1);
  });

  it('starts no run for what the agent itself or a bot does, nor without a thread', async () => {
    const { forge, start, startFor } = await open({ forges: [name] });
    const { reference } = forge.openIssue(issue);
    const own = forge.comment(reference, { author: 'robot', body: 'I am done.' });
    const byItself = await (await start({ commentId: own, change: 'created' })).exited;
    expect(byItself).toMatchObject({ code: 0, output: expect.stringContaining('the agent itself') });
    const elsewhere = await (await startFor('https://elsewhere.example.com/1')).exited;
    expect(elsewhere).toMatchObject({ code: 0, output: expect.stringContaining('names no issue') });
    expect(forge.thread(reference)).toMatchObject({ labels: ['coding agent'] });
    expect(await listRecords(forge)).toBe('');
  });
});

describe('agent-daemon job', () => {
  it('does not run in a public repository without a key for its record', async () => {
    const { forge, start } = await open({ forges: ['github'] });
    const { reference } = forge.openIssue(issue);
    const { code, output } = await (await start(label(reference), { environment: { AGENT_RECORD_KEY: '' } }))
      .exited;
    expect([code, output]).toEqual([1, expect.stringContaining('AGENT_RECORD_KEY')]);
    const without = await start(label(reference), {
      environment: { AGENT_RECORD_KEY: '' },
      flags: ['--record', 'none'],
    });
    expect(await without.exited).toMatchObject({ code: 0 });
    expect(await listRecords(forge)).toBe('');
    expect(forge.thread(reference).labels).toEqual(['coding agent done']);
  });

  it('refuses events in which code of a fork would run with the secrets of the repository', async () => {
    const { forge, start } = await open({ forges: ['github'] });
    const { reference } = forge.openIssue(issue);
    for (const event of ['pull_request_target', 'pull_request', 'workflow_run', 'push', 'watch']) {
      const job = await start(label(reference), { environment: { GITHUB_EVENT_NAME: event } });
      expect(await job.exited, event).toMatchObject({ code: 1, output: expect.stringContaining(event) });
    }
    const { reference: forked } = await forge.openFromFork({
      ...{ title: 'Mine', body: 'Please take it.', labels: ['coding agent'] },
      ...{ headBranch: 'mine', files: { 'total.js': 'export const total = () => 0;\n' } },
    });
    const commentId = forge.comment(forked, { author: 'alice', body: 'Please continue.' });
    const job = await start({ commentId, change: 'created' });
    expect(await job.exited).toMatchObject({ code: 0, output: expect.stringContaining('fork') });
    expect(await listRecords(forge)).toBe('');
  });
});
