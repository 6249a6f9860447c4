import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import { repository, startWorld, token, type World } from '../support/world.ts';

const git = promisify(execFile);
let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const openIssue = (at: World, seed: { title?: string; body?: string | null } = {}) =>
  at.gitHub.openIssue({
    repo: repository,
    author: 'alice',
    title: 'The total is wrong',
    body: 'It forgets the quantity.',
    labels: ['bug', 'coding agent'],
    ...seed,
  });

describe.each(['responses', 'chat'] as const)('an issue, with a model behind /%s', (api) => {
  it('goes from its label to a draft pull request and one final comment [RL-1, RL-14]', async () => {
    world = await startWorld({ script: fixScript, api });
    const issue = openIssue(world);
    const exit = await startDaemonProcess(world.configFile).exited;
    expect(exit.output).toContain('task ended');
    expect(exit.code).toBe(0);

    const thread = world.thread(issue.number);
    expect([...thread.labels].sort()).toEqual(['bug', 'coding agent done']);
    expect(thread.comments).toHaveLength(1);
    expect(thread.comments[0]).toMatchObject({ author: 'robot' });
    expect(thread.comments[0]?.body).toContain('total counts quantities now; the tests pass.');
    expect(thread.comments[0]?.body).toContain('## ✅ Task completed');

    const [pull] = world.gitHub.threads(repository).filter((one) => one.pullRequest !== null);
    expect(pull?.pullRequest).toMatchObject({
      draft: true,
      base: 'main',
      head: `agent/issue-${issue.number}-the-total-is-wrong`,
    });
    expect(pull?.body).toContain(`Closes #${issue.number}`);
    const show = ['show', `${pull?.pullRequest?.head}:total.js`];
    const { stdout } = await git('git', show, { cwd: world.gitHub.gitDirectory(repository) });
    expect(stdout).toContain('line.price * line.quantity');
  });

  it('keeps nothing on the model server: every request carries the whole conversation [NX-12]', async () => {
    world = await startWorld({ script: fixScript, api });
    openIssue(world);
    await startDaemonProcess(world.configFile).exited;
    const bodies = world.model.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.stringify(body));
    expect(bodies.length).toBe(5);
    for (const body of bodies) {
      expect(body).not.toMatch(/item_reference|previous_response_id/);
      expect(body).toContain('It forgets the quantity.');
      expect(body).not.toContain(token);
    }
  });
});

describe('an issue', () => {
  it('gets a comment alone when nothing has to change', async () => {
    world = await startWorld({ script: answerScript });
    const issue = openIssue(world);
    expect((await startDaemonProcess(world.configFile).exited).code).toBe(0);
    expect(world.gitHub.threads(repository)).toHaveLength(1);
    const thread = world.thread(issue.number);
    expect(thread.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining('No files were changed.'),
    ]);
    expect(thread.labels).toContain('coding agent done');
  });

  it('leaves its journal in completed/ and nothing in running/', async () => {
    world = await startWorld({ script: answerScript });
    openIssue(world);
    await startDaemonProcess(world.configFile).exited;
    const contexts = join(world.directory, 'contexts');
    expect(await readdir(join(contexts, 'running'))).toEqual([]);
    const [uuid] = await readdir(join(contexts, 'completed'));
    expect((await readdir(join(contexts, 'completed', uuid ?? ''))).sort()).toEqual(
      expect.arrayContaining(['messages.jsonl', 'metadata.json', 'outcome.json']),
    );
  });
});
