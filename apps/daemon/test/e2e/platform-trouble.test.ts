// @module-tag full
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { Forge, ForgeName } from '../support/forge.ts';
import { forgesToTry } from '../support/samples.ts';
import { repository, startWorld, type World, type WorldOptions } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const seed = {
  title: 'The total is wrong',
  body: 'It forgets the quantity.',
  labels: ['coding agent'],
};

async function startOn(name: ForgeName, options: Partial<WorldOptions> = {}): Promise<World> {
  world = await startWorld({ script: answerScript, forges: [name], ...options });
  return world;
}

/** Starts the daemon with another token, and tells what it says; a stack is never shown. */
async function startWith(at: World, environment: Readonly<Record<string, string>> = {}) {
  const exit = await startDaemonProcess(at.configFile, { environment, nodeArguments: quickWaits }).exited;
  expect(exit.code).toBe(1);
  expect(exit.output).not.toMatch(/\n\s+at /);
  return exit.output;
}

const variableOf = ({ environment }: Forge): string => Object.keys(environment)[0] ?? '';

/** What the messages of each platform must name. */
const rights = {
  github: { all: 'pull requests: read and write', threads: 'issues: write', push: 'contents: write' },
  gitlab: { all: 'scopes api and write_repository', threads: 'scope api', push: 'the role Developer' },
} as const satisfies Record<ForgeName, object>;

describe.each(forgesToTry('gitlab'))('a daemon on %s', (name) => {
  it('that has no token, or a wrong one, does not start and says what to do', async () => {
    const at = await startOn(name);
    const variable = variableOf(at.forge);
    const without = await startWith(at, { [variable]: '' });
    expect(without).toContain(`${variable} is not set`);
    expect(without).toContain(rights[name].all);
    const refused = await startWith(at, { [variable]: 'a-wrong-token-0001' });
    expect(refused).toContain('refused the token');
    expect(refused).not.toContain('a-wrong-token-0001');
  });

  it('says which repository it cannot find', async () => {
    const at = await startOn(name);
    const config = await readFile(at.configFile, 'utf8');
    await writeFile(at.configFile, config.replace(repository, 'acme/shoe'));
    expect(await startWith(at)).toMatch(/acme\/shoe: (it does not exist|check the spelling), or the token/);
  });

  it('leaves an issue alone whose label it may not change, and says which permission is missing', async () => {
    const at = await startOn(name);
    const { reference } = at.forge.openIssue(seed);
    expect(await startWith(at, at.forge.addWeakToken())).toContain(rights[name].threads);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent']);
    expect(at.model.requests).toEqual([]);
  });

  it('says on the thread that a rule protects its branch, and keeps the work and the run [NX-110]', async () => {
    const at = await startOn(name, { script: fixScript });
    const { forge } = at;
    const branch = 'agent/issue-1-the-total-is-wrong';
    await forge.protectBranch(branch);
    const { reference } = forge.openIssue(seed);
    const exit = await startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited;
    expect(exit.code).toBe(1);
    const { labels, comments } = forge.thread(reference);
    expect(labels).toEqual(['coding agent processing']);
    expect(comments.map(({ body }) => body)).toEqual([expect.stringMatching(/protected branch/i)]);
    expect(forge.changeRequests()).toEqual([]);
  });

  it('says on the thread that its account may not push at all, and keeps the work and the run [NX-110]', {
    tags: ['release'],
  }, async () => {
    const at = await startOn(name, { script: fixScript, robotMayPush: false });
    const { reference } = at.forge.openIssue(seed);
    expect((await startDaemonProcess(at.configFile, { nodeArguments: quickWaits }).exited).code).toBe(1);
    const { labels, comments } = at.forge.thread(reference);
    expect(labels).toEqual(['coding agent processing']);
    expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining(rights[name].push)]);
    expect(at.forge.changeRequests()).toEqual([]);
  });
});
