// @module-tag full
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { itInFullInFiles, sampleOf } from '../support/samples.ts';
import { repository, startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issueSeed = {
  repo: repository,
  author: 'alice',
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  labels: ['coding agent'],
};
const limits = { max_steps: 4 };
const nodeArguments = quickWaits;
const hearing = { enabled: true, check_interval: 1 };

/** Mends the project until its steps are used up; told to go on, it looks at its work and is done. */
const script: Script = (view) => {
  const text = JSON.stringify(view);
  if (!text.includes('a user asked to continue from there')) return fixScript(view);
  if (!text.includes('what-is-there.txt')) {
    return { toolCalls: [{ name: 'read_file', input: { path: 'what-is-there.txt' } }] };
  }
  return { text: 'Went on and finished.' };
};

const pulls = (at: World) => at.gitHub.threads(repository).filter(({ pullRequest }) => pullRequest !== null);

/** An issue whose run has failed at its limit. */
async function failOnce(config: Record<string, unknown> = {}) {
  world = await startWorld({ script, config: { limits, poll_interval_seconds: 10, ...config } });
  const { number } = world.gitHub.openIssue(issueSeed);
  const exit = await startDaemonProcess(world.configFile, { nodeArguments }).exited;
  expect(exit.code).toBe(1);
  expect(world.thread(number).labels).toEqual(['coding agent failed']);
  return { at: world, number };
}

function expectGoneOn(at: World, number: number): void {
  expect(at.thread(number).labels).toEqual(['coding agent done']);
  const comments = at.thread(number).comments.filter(({ author }) => author !== 'alice');
  expect(comments.map(({ body }) => /^## (.*)$/m.exec(body)?.[1])).toEqual([
    '❌ Task failed',
    '✅ Task completed',
  ]);
  expect(pulls(at)).toHaveLength(1);
  const first =
    listTurns(at.model).find((body) => body.includes('a user asked to continue from there')) ?? '';
  // The conversation that failed, in its order, then the thread as it is.
  const order = ['The quantity is missing.', 'this is its last turn', 'a user asked to continue'];
  const places = order.map((text) => first.indexOf(text));
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
}

describe('a run that failed', () => {
  it('is gone on from by the command line, on its branch and with its conversation [NX-45]', {
    tags: ['release'],
  }, async () => {
    const { at, number } = await failOnce();
    const ask = (age: string) =>
      runDaemonCommand(at.configFile, ['status', '--state', 'failed', '--since', age]);
    expect((await ask('24h')).output).toMatch(/acme\/shop#\d+ +failed .*\n {2}\S/);
    expect(await ask('1y')).toMatchObject({ code: 1, output: expect.stringContaining('90m, 24h or 7d') });
    const asked = await runDaemonCommand(at.configFile, ['retry', `acme/shop#${number}`]);
    expect(asked.output).toContain('resumes from where it failed');
    const exit = await startDaemonProcess(at.configFile, { nodeArguments }).exited;
    expect(exit.code).toBe(0);
    expectGoneOn(at, number);
    expect(await at.runs.listAsked()).toEqual([]);
    const again = await runDaemonCommand(at.configFile, ['retry', `acme/shop#${number}`]);
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining("can't be retried") });
  });

  it('is gone on from by a comment of somebody who may, and of nobody else [NX-45]', async () => {
    const { at, number } = await failOnce({ comment_detection: hearing });
    expect(at.thread(number).comments.at(-1)?.body).toContain('comment `/retry`');
    const daemon = startDaemonProcess(at.configFile, { flags: [], nodeArguments });
    await daemon.printed(/ready/);
    at.gitHub.comment({ repo: repository, number, author: 'bob', body: '/retry' });
    at.gitHub.comment({ repo: repository, number, author: 'alice', body: '/retry' });
    await daemon.printed(/finished task/);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    expect(at.thread(number).labels).toEqual(['coding agent done']);
    expect(daemon.output().match(/received command/g)).toHaveLength(1);
    expect(daemon.output().match(/started task/g)).toHaveLength(1);
  });

  itInFullInFiles('is gone on from once, whenever the process dies meanwhile [NX-45, RL-9]', async () => {
    const { at, number } = await failOnce();
    await runDaemonCommand(at.configFile, ['retry', `acme/shop#${number}`]);
    for (const moment of [/started task/, /"calling model"/]) {
      const daemon = startDaemonProcess(at.configFile, { nodeArguments });
      await Promise.race([daemon.printed(moment), daemon.exited]).catch(() => undefined);
      daemon.child.kill('SIGKILL');
      await daemon.exited;
    }
    await startDaemonProcess(at.configFile, { nodeArguments }).exited;
    expectGoneOn(at, number);
    expect(await at.runs.list('completed')).toHaveLength(2);
  });
});

// In full alone: `npm test` goes on from an issue's run, and keeps unpushed work in the tests of workspaces.
const forges = sampleOf<ForgeName>(['github', 'gitlab'], () => false);

describe.each(forges)("a change request's run that failed, on %s", (name) => {
  it('keeps its work off the branch of people, says so, and is gone on from with it [NX-45]', async () => {
    world = await startWorld({ script, forges: [name], config: { limits, comment_detection: hearing } });
    const { forge } = world;
    const { reference } = await forge.openChangeRequest({
      title: 'The total is wrong',
      body: 'It forgets the quantity.',
      labels: ['coding agent'],
      headBranch: 'alice/total',
      files: { 'NOTES.md': 'Alice was here.\n' },
    });
    expect((await startDaemonProcess(world.configFile, { nodeArguments }).exited).code).toBe(1);
    expect(await forge.readFile('alice/total', 'total.js')).not.toContain('quantity');
    expect(forge.thread(reference).comments.at(-1)?.body).toContain("are only on the agent's machine");
    const task = name === 'github' ? 'acme/shop#1' : 'acme/shop!1';
    await runDaemonCommand(world.configFile, ['retry', task]);
    expect((await startDaemonProcess(world.configFile, { nodeArguments }).exited).code).toBe(0);
    expect(await forge.readFile('alice/total', 'total.js')).toContain('line.price * line.quantity');
    expect(forge.thread(reference).comments.at(-1)?.body).toContain('✅ Task completed');
  });
});
