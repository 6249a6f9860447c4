// @module-tag full
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGitHubSimulator } from '@agent/simulators/github';
import { startScriptedModel } from '@agent/simulators/model';
import { describe, expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('agent.ts', import.meta.url));
const repo = 'alice/shop';

/** Moment at which the process is killed: while its n-th test run or its n-th model request is under way. */
interface KillPoint {
  readonly during: 'test run' | 'model request';
  readonly count: number;
}

/** A pull request with one comment, which is known before the agent begins. */
async function openPullRequest() {
  const github = await startGitHubSimulator();
  onTestFinished(() => github.close());
  for (const login of ['alice', 'bob', 'robot']) github.addUser({ login });
  github.addToken({ token: 'robot-token', login: 'robot' });
  await github.addRepository({
    ...{ owner: 'alice', name: 'shop', private: true, collaborators: { robot: 'write', bob: 'write' } },
    files: { 'total.js': 'one\ntwo\n' },
  });
  const { number } = await github.openPullRequest({
    ...{ repo, author: 'alice', title: 'Fix the total', body: 'In euros.', headBranch: 'fix' },
    files: { 'total.js': 'one\nzwei\n' },
  });
  const { id } = github.comment({ repo, number, author: 'alice', body: 'Round the cents up.' });
  return { github, number, withdraw: () => github.deleteComment(repo, id) };
}

/** Runs the agent over a kill. Each event happens once, whatever is run again. */
async function play(kill: KillPoint) {
  const { github, number, withdraw } = await openPullRequest();
  const directory = await mkdtemp(join(tmpdir(), 'pull-request-agent-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const events = [
    async () => {
      await github.reviews.submit({
        repo,
        number,
        author: 'bob',
        event: 'REQUEST_CHANGES',
        body: 'Not yet.',
      });
      await github.reviews.comment({
        repo,
        number,
        author: 'bob',
        path: 'total.js',
        line: 2,
        body: 'In German?',
      });
    },
    async () => github.editThread(repo, number, { title: 'Fix the sum' }),
  ];
  const counts = { 'test run': 0, 'model request': 0 };
  let victim: ReturnType<typeof spawn> | null = null;
  const reach = (during: KillPoint['during']) => {
    counts[during] += 1;
    if (during === kill.during && counts[during] === kill.count) victim?.kill('SIGKILL');
  };
  const ci = createServer(async (_, response) => {
    await events.shift()?.();
    reach('test run');
    response.end('2 passed');
  });
  ci.listen(0, '127.0.0.1');
  await once(ci, 'listening');
  const model = await startScriptedModel({
    script: ({ exchanges }) => {
      reach('model request');
      return exchanges.length < 2
        ? { toolCalls: [{ name: 'run_tests', input: {} }] }
        : { text: 'All tests pass.' };
    },
  });
  onTestFinished(async () => {
    ci.closeAllConnections();
    ci.close();
    await model.close();
  });
  const file = join(directory, 'checkpoint.json');
  const live = async () => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    victim = spawn(process.execPath, ['--conditions=@agent/source', program], {
      env: {
        ...{ PATH, NODE_COMPILE_CACHE, GITHUB_URL: github.url, GITHUB_TOKEN: 'robot-token' },
        ...{ PULL_NUMBER: String(number), MODEL_URL: model.baseUrl, CHECKPOINT_FILE: file },
        CI_URL: `http://127.0.0.1:${(ci.address() as AddressInfo).port}`,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [victim.stdout, victim.stderr])
      stream?.on('data', (chunk) => (output += String(chunk)));
    const [code, signal] = await once(victim, 'close');
    return { code, signal, output };
  };
  const killed = await live();
  withdraw();
  const ended = await live();
  const sent = JSON.stringify(model.requests.at(-1)?.body);
  return { killed, ended, sent, kept: await readFile(file, 'utf8') };
}

const countIn = (text: string, part: string) => text.split(part).length - 1;

describe('an agent on a pull request that is killed', () => {
  it.each<KillPoint>([
    { during: 'test run', count: 1 },
    { during: 'model request', count: 2 },
    { during: 'test run', count: 2 },
    { during: 'model request', count: 3 },
    { during: 'model request', count: 4 },
  ])(
    'in $during $count receives a review, a line comment, an edit and a deletion once each [CD-33]',
    async (kill) => {
      const { killed, ended, sent, kept } = await play(kill);
      expect(killed).toEqual({ code: null, signal: 'SIGKILL', output: '' });
      expect(ended).toEqual({ code: 0, signal: null, output: 'All tests pass.\n' });
      const events = [
        'Not yet.',
        '(This review requests changes.)',
        'On line 2 of total.js',
        'In German?',
        '[Title or Text Edited by @alice]',
        '+Fix the sum',
        '[Comment Deleted by @alice]',
        'Round the cents up.',
      ];
      const { messages } = JSON.parse(kept) as { readonly messages: readonly unknown[] };
      for (const event of events) {
        expect([event, countIn(sent, event)]).toEqual([event, 1]);
        expect([event, countIn(JSON.stringify(messages), event)]).toEqual([event, 1]);
      }
    },
  );
});
