// @module-tag full
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { followSteps, type Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import type { ForgeName } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const workflow = '.github/workflows/ci.yml';
const branch = 'agent/issue-1-add-ci';
const write = (path: string, content: string) => ({ name: 'write_file', input: { path, content } });
const script = followSteps([
  {
    toolCalls: [
      write(workflow, 'on: push\njobs: {}\n'),
      write('total.js', 'export const total = () => 6;\n'),
    ],
  },
  { text: 'CI runs the tests now.' },
]);

interface Given {
  readonly forge: ForgeName;
  readonly config?: object;
  readonly body?: string;
  readonly author?: string;
  readonly steps?: Script;
}

async function start({
  forge: name,
  config = {},
  body = 'Please add CI.',
  author = 'alice',
  steps = script,
}: Given) {
  const here = await startWorld({
    script: steps,
    forges: [name],
    config: { comment_detection: { enabled: true }, ...config },
  });
  world = here;
  const { reference } = here.forge.openIssue({ title: 'Add CI', body, author, labels: ['coding agent'] });
  const live = async () => {
    const { output } = await startDaemonProcess(here.configFile).exited;
    return { output, ...here.forge.thread(reference), turns: listTurns(here.model).length };
  };
  const say = (author: string, text: string) => here.forge.comment(reference, { author, body: text });
  const read = (path: string) => here.forge.readFile(branch, path).catch(() => null);
  return { here, reference, live, say, read };
}

const checks = {
  environments: [{ repositories: ['*'], checks: { commands: ['test -f total.js && ! test -e .github'] } }],
};

describe.each(forgesToTry('github'))('a change of a CI file, on %s', (forge) => {
  it('is held with its patch and pushed once a trusted user allows it; an untrusted user changes nothing', async () => {
    const { here, live, say, read } = await start({ forge, config: checks });
    const held = await live();
    expect(held.labels).toEqual(['coding agent paused']);
    const [comment] = held.comments;
    expect(comment?.body).toContain('**H1**');
    expect(comment?.body).toContain('+on: push\n+jobs: {}');
    expect(comment?.body).toContain('The other changes are pushed.');
    expect(await read('total.js')).toBe('export const total = () => 6;\n');
    expect(await read(workflow)).toBeNull();
    expect(here.forge.changeRequests()).toHaveLength(1);

    say('bob', '/allow H1');
    const untrusted = await live();
    expect([untrusted.labels, untrusted.turns]).toEqual([['coding agent paused'], held.turns]);
    say('alice', '/allow H2');
    expect((await live()).labels).toEqual(['coding agent paused']);
    expect(await read(workflow)).toBeNull();

    say('alice', '/allow H1');
    const done = await live();
    expect(done.labels).toEqual(['coding agent done']);
    expect(await read(workflow)).toBe('on: push\njobs: {}\n');
    expect(done.comments.at(-1)?.body).toContain('H1: `.github/workflows/ci.yml` was allowed by `@alice`');
    expect(here.forge.changeRequests()).toHaveLength(1);
  }, 60_000);

  it('is held together with everything else if no checks are configured', {
    tags: ['release'],
    timeout: 60_000,
  }, async () => {
    const { here, live, say, read } = await start({ forge });
    const held = await live();
    expect(held.labels).toEqual(['coding agent paused']);
    const body = held.comments[0]?.body ?? '';
    expect(body).toContain('**H2** The other changed file');
    expect(body).toContain('+export const total = () => 6;');
    expect(body).toContain('no checks are configured');
    expect(await here.forge.branches()).toEqual(['main']);
    const { output } = await runDaemonCommand(here.configFile, ['status', '--json']);
    expect(JSON.parse(output)).toMatchObject({ paused: [{ held: 2 }] });
    expect((await runDaemonCommand(here.configFile, ['status'])).output).toContain(
      'waiting for permission to push 2 held changes',
    );
    say('alice', '/allow H1');
    const done = await live();
    expect(done.labels).toEqual(['coding agent done']);
    expect([await read(workflow), await read('total.js')]).toEqual([
      'on: push\njobs: {}\n',
      'export const total = () => 6;\n',
    ]);
  });

  it('is pushed if a trusted user named its path in the issue, and held if an untrusted user did', {
    tags: ['full'],
    timeout: 60_000,
  }, async () => {
    const body = `Please add CI.\n\n/allow ${workflow}\n`;
    const named = await start({ forge, body });
    expect((await named.live()).labels).toEqual(['coding agent done']);
    expect(await named.read(workflow)).toBe('on: push\njobs: {}\n');
    await named.here.close();
    const other = await start({ forge, body, author: 'bob' });
    expect((await other.live()).labels).toEqual(['coding agent paused']);
    expect(await other.read(workflow)).toBeNull();
  });

  it('is pushed and named in the report if the operator says `draft`', async () => {
    const config = { outgoing: { protected_paths: { '.github/workflows/**': 'draft' } } };
    const { live, read } = await start({ forge, config });
    const done = await live();
    expect(done.labels).toEqual(['coding agent done']);
    expect(done.comments.at(-1)?.body).toContain(`I pushed:\n\n- \`${workflow}\``);
    expect(await read(workflow)).toBe('on: push\njobs: {}\n');
  }, 60_000);

  it('stays with a person if the server refuses it for a missing permission, which the comment names', {
    tags: ['release'],
    timeout: 60_000,
  }, async () => {
    const { here, live, say, read } = await start({ forge, config: checks });
    await live();
    const hook = join(here.forge.gitDirectory, 'hooks/pre-receive');
    const refusal = `refusing to allow a GitHub App to create or update workflow \`${workflow}\` without \`workflows\` permission`;
    await writeFile(hook, `#!/bin/sh\necho '${refusal}' >&2; exit 1\n`, { mode: 0o755 });
    say('alice', '/allow H1');
    const refused = await live();
    expect(refused.labels).toEqual(['coding agent paused']);
    expect(refused.comments.map(({ body }) => body).join('\n')).toContain('the permission workflows: write');
    const turns = refused.turns;
    expect((await live()).turns).toBe(turns);
    expect(await read(workflow)).toBeNull();
    await rm(hook);
    expect((await live()).labels).toEqual(['coding agent paused']);
    say('alice', '/allow H1');
    expect((await live()).labels).toEqual(['coding agent done']);
    expect(await read(workflow)).toBe('on: push\njobs: {}\n');
  });
});
