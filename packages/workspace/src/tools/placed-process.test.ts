import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultLimits } from '../sandbox/command-limits.ts';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import { findSandbox, listEnvironments, sandboxed } from '../testing/workspace-bed.ts';
import { type CommandPlace, type CommandPlaceOptions, createCommandPlace } from './command-place.ts';
import type { PlacedProcess } from './placed-process.ts';

const found = await findSandbox();
const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
const sandboxes: readonly (readonly [string, CommandSandbox])[] = [
  ['without a sandbox', { kind: 'none', mode: 'off' }],
  ...(found === null ? [] : [['in bubblewrap', found] as const]),
];
let base: string;
let root: string;
let started: PlacedProcess[];

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'placed-')));
  root = join(base, 'work');
  await mkdir(root);
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((one) => one.end()));
  await rm(base, { recursive: true, force: true });
});

/** Answers each line that it is sent with itself. */
const echo = `process.stdin.on('data', (data) => process.stdout.write(data));`;

describe.each(sandboxes)('a program that stays, %s', (_, sandbox) => {
  const open = (options: Partial<CommandPlaceOptions> = {}): CommandPlace =>
    createCommandPlace({
      ...{ workspacePath: root, sandbox, path, owner: 'run-1', homesDirectory: base },
      environment: { SHARED: 'yes' },
      hideSecrets: (text) => text.replaceAll('plum-orchard', '***'),
      ...options,
    });

  async function start(script: string, place = open()): Promise<PlacedProcess> {
    const node = await place.findProgram('node');
    const command = [node ?? '', '-e', script];
    const process = await place.start({ command, variables: { OWN_KEY: base } });
    started.push(process);
    return process;
  }

  it('is talked to over its standard input and output [NX-279]', async () => {
    const { input, output, end, ended } = await start(echo);
    const writer = input.getWriter();
    await writer.write(new TextEncoder().encode('hello\n'));
    const { value } = await output.getReader().read();
    expect(new TextDecoder().decode(value)).toBe('hello\n');
    await end();
    expect(await ended).toBe('it ended with exit code 0');
  });

  it('has a home that outlives the place, its own variables and those of commands, and nothing else of ours [NX-279]', async () => {
    const note = `require('fs').appendFileSync(process.env.HOME + '/note', Object.keys(process.env).join(' ') + '\\n')`;
    const place = open();
    await (await start(note, place)).ended;
    await place.close();
    await (await start(note)).ended;
    const home = join(base, '.agent-session-run-1');
    const lines = (await readFile(join(home, 'note'), 'utf8')).trim().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]?.split(' ')).toEqual(expect.arrayContaining(['HOME', 'PATH', 'SHARED', 'OWN_KEY']));
    expect(lines[0]).not.toMatch(/VITEST|NODE_OPTIONS|USER/u);
  });

  it('tells its last words, without secrets [NX-279]', async () => {
    const { ended } = await start(`console.error('no key plum-orchard'); process.exitCode = 3`);
    expect(await ended).toBe('it ended with exit code 3 and said: no key ***');
  });

  it('is ended with all that it started, also one that does not listen [NX-279]', {
    tags: ['full'],
  }, async () => {
    const child = `require('fs').writeFileSync('beat', 'x'); require('fs').renameSync('beat', 'alive'); setInterval(() => {}, 1000)`;
    const options = `{ detached: true, stdio: 'ignore' }`;
    const { end } = await start(
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], ${options}); process.stdin.resume(); setInterval(() => {}, 1000);`,
    );
    const listBusy = async () =>
      (await listEnvironments()).filter((line) => line.includes(`OWN_KEY=${base}`));
    await expect.poll(() => existsSync(join(root, 'alive')), { timeout: 60_000 }).toBe(true);
    await end();
    await expect.poll(listBusy, { timeout: 60_000 }).toEqual([]);
  });

  it('has ended when it ends, also where what it started holds its output open, which is ended too [NX-287]', async () => {
    const child = `setInterval(() => {}, 1000)`;
    const options = `{ detached: true, stdio: 'inherit' }`;
    const { ended } = await start(
      `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], ${options}).unref(); setTimeout(() => process.exit(4), 50);`,
    );
    expect(await ended).toBe('it ended with exit code 4');
    const listBusy = async () =>
      (await listEnvironments()).filter((line) => line.includes(`OWN_KEY=${base}`));
    await expect.poll(listBusy, { timeout: 60_000 }).toEqual([]);
  });

  it.each([
    ['memory_mb', { memoryMb: 4 }, 'took more than 4 MB of memory'],
    ['processes', { processes: 1 }, 'had more than 1 processes and threads'],
  ])(
    'that a limit ends, with its children, is said to have ended by it: %s [NX-308]',
    async (key, limits, said) => {
      const place = open({ limits: { ...defaultLimits, ...limits }, pause: async () => {} });
      const process = await start(`setInterval(() => {}, 1_000)`, place);
      expect(await process.ended).toContain(
        `${said} with all that it started (tools.run_command.limits.${key})`,
      );
    },
  );

  it('is told which limits may have ended it, where the kernel does [NX-308]', async () => {
    const { ended } = await start(`process.kill(process.pid, 'SIGKILL')`);
    expect(await ended).toMatch(/ended by SIGKILL|ended with exit code 137/u);
    expect(await ended).toContain(
      'as the kernel does at tools.run_command.limits.cpu_seconds (1800), or where the machine has no memory left',
    );
  });

  it('writes into the worktree [NX-279]', async () => {
    await (await start(`require('fs').writeFileSync('made.txt', 'x')`)).ended;
    expect(await readFile(join(root, 'made.txt'), 'utf8')).toBe('x');
  });
});

const keptIn = 'a sandbox keeps it from all but its worktree and its home [NX-279]';

it(sandboxed(keptIn, found), async () => {
  if (found === null) return;
  await writeFile(join(base, 'ours'), 'secret');
  const place = createCommandPlace({
    ...{ workspacePath: root, sandbox: found, path, owner: 'run-1', homesDirectory: base },
  });
  const node = await place.findProgram('node');
  // What it writes beside its worktree is refused, or goes where nobody else sees it.
  const script = `const fs = require('fs'); try { fs.writeFileSync('../theirs', ''); } catch {} try { console.error(fs.readFileSync('../ours', 'utf8')); } catch (error) { console.error(error.code); }`;
  const process = await place.start({ command: [node ?? '', '-e', script], variables: {} });
  started.push(process);
  expect(await process.ended).toBe('it ended with exit code 0 and said: ENOENT');
  expect(existsSync(join(base, 'theirs'))).toBe(false);
});
