import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../workspace/root.ts';

/** Plays npm: leaves a pnpm that "installs", and a line in a log for each time it is called. */
const NPM = `#!/bin/sh
echo "npm" >> "$CALLS"
[ -n "$NPM_FAILS" ] && exit 3
sleep "\${NPM_SECONDS:-0}"
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho pnpm >> "$CALLS"\\nmkdir -p node_modules\\ntouch node_modules/.modules.yaml\\n' > node_modules/.bin/pnpm
chmod +x node_modules/.bin/pnpm
`;

interface Ended {
  readonly exitCode: number | null;
  readonly said: string;
}

describe('the bootstrap of a fresh clone', () => {
  let clone = '';
  const callsFile = (): string => join(clone, 'calls');
  const calls = (): readonly string[] => readFileSync(callsFile(), 'utf8').trim().split('\n');

  beforeEach(() => {
    clone = join(mkdtempSync(join(tmpdir(), 'agent-bootstrap-')), 'a clone');
    mkdirSync(join(clone, 'bin'), { recursive: true });
    for (const name of ['.node-version', 'package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
      cpSync(join(repositoryRoot, name), join(clone, name));
    }
    cpSync(join(repositoryRoot, 'scripts'), join(clone, 'scripts'), { recursive: true });
    writeFileSync(join(clone, 'bin', 'npm'), NPM);
    chmodSync(join(clone, 'bin', 'npm'), 0o755);
  });

  afterEach(() => rmSync(dirname(clone), { recursive: true, force: true }));

  function start(command: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
    const path = [join(clone, 'bin'), '/usr/bin', '/bin'].join(delimiter);
    return spawn(process.execPath, [join(clone, 'scripts', 'bootstrap.mjs'), ...command], {
      env: { HOME: clone, PATH: path, CALLS: callsFile(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  function end(child: ChildProcess): Promise<Ended> {
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (said += String(chunk)));
    return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, said })));
  }

  it('fetches, installs, says so, and ends as its command ends', async () => {
    const first = await end(start(['sh', '-c', 'echo "done: $1"; exit 7', 'sh', 'two words']));
    expect(first.exitCode).toBe(7);
    expect(first.said).toMatch(
      /fetching pnpm@[\s\S]*fetched in [\s\S]*installing [\s\S]*installed in [\s\S]*done: two words/,
    );
    expect(calls()).toEqual(['npm', 'pnpm']);
  });

  it('does nothing and says nothing the second time', async () => {
    await end(start([]));
    expect(await end(start(['echo', 'hello']))).toEqual({ exitCode: 0, said: 'hello\n' });
    expect(calls()).toEqual(['npm', 'pnpm']);
  });

  it('installs again when the lockfile has changed', async () => {
    await end(start([]));
    writeFileSync(join(clone, 'pnpm-lock.yaml'), 'lockfileVersion: 9.0\n');
    await end(start([]));
    expect(calls()).toEqual(['npm', 'pnpm', 'pnpm']);
  });

  it('mends a toolchain that lacks a program', async () => {
    await end(start([]));
    const [toolchain = ''] = readdirSync(join(clone, '.toolchain'));
    rmSync(join(clone, '.toolchain', toolchain, 'node_modules', '.bin', 'pnpm'));
    expect((await end(start(['echo', 'hello']))).exitCode).toBe(0);
    expect(calls()).toEqual(['npm', 'pnpm', 'npm']);
  });

  it('fails clearly when npm fails, and leaves nothing half-made', async () => {
    const failed = await end(start(['echo', 'hello'], { NPM_FAILS: '1' }));
    expect(failed.exitCode).toBe(3);
    expect(failed.said).toMatch(/npm could not fetch pnpm@[\s\S]*npm config get registry/);
    expect(failed.said).not.toContain('hello');
    expect(readdirSync(join(clone, '.toolchain'))).toEqual([]);
    expect((await end(start(['echo', 'hello']))).exitCode).toBe(0);
  });

  it('says where npm comes from when there is none', async () => {
    const failed = await end(start([], { PATH: join(clone, 'scripts') }));
    expect(failed).toMatchObject({
      exitCode: 127,
      said: expect.stringContaining('there is no npm on the PATH'),
    });
  });

  it('sets up once when several commands begin at the same time', async () => {
    const children = [1, 2, 3].map((number) =>
      end(start(['echo', `command ${number}`], { NPM_SECONDS: '0.5' })),
    );
    const ended = await Promise.all(children);
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(calls()).toEqual(['npm', 'pnpm']);
  });

  it('takes over from a set-up that was killed', async () => {
    const killed = start([], { NPM_SECONDS: '1' });
    await waitFor(() => existsSync(callsFile()));
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.on('exit', resolve));
    expect((await end(start(['echo', 'hello']))).exitCode).toBe(0);
    expect(readdirSync(join(clone, '.toolchain'))).toHaveLength(1);
  });

  it('finds a place for caches when there is no home', async () => {
    const { said } = await end(start(['sh', '-c', 'echo $HOME'], { HOME: '/nonexistent/home' }));
    expect(said).toContain(join(clone, '.toolchain', 'home'));
  });

  it('passes SIGTERM on to its command and ends with it', async () => {
    await end(start([]));
    const child = start([
      'sh',
      '-c',
      'trap "echo stopped; exit 5" TERM; echo ready; while :; do sleep 0.05; done',
    ]);
    const ended = end(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    child.kill('SIGTERM');
    expect(await ended).toEqual({ exitCode: 5, said: 'ready\nstopped\n' });
  });
});

async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}
