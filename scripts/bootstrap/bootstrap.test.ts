import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
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

/**
 * Plays npm: `pack` leaves tarballs, whose content is "genuine" unless they are tampered with, `install` a pnpm that "installs";
 * and a line in a log for each time it is called.
 */
const NPM = `#!/bin/sh
echo "npm $1" >> "$CALLS"
[ -n "$NPM_FAILS" ] && exit 3
if [ "$1" = pack ]; then
  sleep "\${NPM_SECONDS:-0}"
  for spec in $(printf '%s\\n' "$@" | grep '.@'); do
    printf %s "\${NPM_GIVES:-genuine}" > "$(echo "$spec" | sed 's,^@,,; s,/,-,; s,@,-,').tgz"
  done
  exit 0
fi
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho pnpm >> "$CALLS"\\nmkdir -p node_modules\\ntouch node_modules/.modules.yaml\\n' > node_modules/.bin/pnpm
chmod +x node_modules/.bin/pnpm
`;

/** The hashes of the repository, each replaced by that of a genuine tarball of the npm above. */
function genuinePins(): string {
  const pins = JSON.parse(readFileSync(join(repositoryRoot, 'scripts', 'bootstrap', 'pins.json'), 'utf8'));
  const integrity = `sha512-${createHash('sha512').update('genuine').digest('base64')}`;
  return JSON.stringify(
    Object.fromEntries(Object.entries<object>(pins).map(([name, pin]) => [name, { ...pin, integrity }])),
  );
}

const setUp = ['npm pack', 'npm install', 'pnpm'];

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
    writeFileSync(join(clone, 'scripts', 'bootstrap', 'pins.json'), genuinePins());
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
    expect(calls()).toEqual(setUp);
  });

  it('does nothing and says nothing the second time', async () => {
    await end(start([]));
    expect(await end(start(['echo', 'hello']))).toEqual({ exitCode: 0, said: 'hello\n' });
    expect(calls()).toEqual(setUp);
  });

  it('installs again when the lockfile has changed', async () => {
    await end(start([]));
    writeFileSync(join(clone, 'pnpm-lock.yaml'), 'lockfileVersion: 9.0\n');
    await end(start([]));
    expect(calls()).toEqual([...setUp, 'pnpm']);
  });

  it('mends a toolchain that lacks a program', async () => {
    await end(start([]));
    const [toolchain = ''] = readdirSync(join(clone, '.toolchain'));
    rmSync(join(clone, '.toolchain', toolchain, 'node_modules', '.bin', 'pnpm'));
    expect((await end(start(['echo', 'hello']))).exitCode).toBe(0);
    expect(calls()).toEqual([...setUp, 'npm pack', 'npm install']);
  });

  it('fails clearly when npm fails, and leaves nothing half-made', async () => {
    const failed = await end(start(['echo', 'hello'], { NPM_FAILS: '1' }));
    expect(failed.exitCode).toBe(3);
    expect(failed.said).toMatch(/npm could not fetch pnpm@[\s\S]*npm config get registry/);
    expect(failed.said).not.toContain('hello');
    expect(readdirSync(join(clone, '.toolchain'))).toEqual([]);
    expect((await end(start(['echo', 'hello']))).exitCode).toBe(0);
  });

  it('refuses a toolchain that is not the one whose hash is kept, and leaves nothing of it [NX-376]', async () => {
    const refused = await end(start(['echo', 'hello'], { NPM_GIVES: 'forged' }));
    expect(refused.exitCode).toBe(1);
    expect(refused.said).toMatch(/gave as pnpm@\S+ is not what .* was not used: its hash is sha512-/);
    expect(refused.said).not.toContain('hello');
    expect(calls()).toEqual(['npm pack']);
    expect(readdirSync(join(clone, '.toolchain'))).toEqual([]);
  });

  it('says that it fetches by version alone where no hash is kept for the machine [NX-376]', async () => {
    writeFileSync(join(clone, 'scripts', 'bootstrap', 'pins.json'), '{}');
    const ended = await end(start([]));
    expect(ended).toMatchObject({
      exitCode: 0,
      said: expect.stringContaining('no hashes for this kind of machine'),
    });
    expect(calls()).toEqual(['npm install', 'pnpm']);
  });

  it('keeps a hash for the versions of pnpm and Node that the repository names [NX-376]', () => {
    const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
    const pnpm = JSON.parse(read('package.json')).packageManager.replace('pnpm@', '');
    const node = read('.node-version').trim();
    const pins = JSON.parse(read('scripts/bootstrap/pins.json')) as Record<
      string,
      { readonly version: string }
    >;
    const wanted = ['x64', 'arm64'].flatMap((cpu) => [
      [`@pnpm/exe.linux-${cpu}`, pnpm],
      [`node-linux-${cpu}`, node],
    ]);
    const versions = Object.fromEntries(Object.entries(pins).map(([name, { version }]) => [name, version]));
    expect(versions).toEqual(Object.fromEntries([['pnpm', pnpm], ...wanted]));
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
    expect(calls()).toEqual(setUp);
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

  it('tells its command by which script npm was called, and nothing of the settings of that npm', async () => {
    const environment = {
      npm_lifecycle_event: 'daemon',
      npm_lifecycle_script: 'node scripts/bootstrap.mjs',
      npm_config_loglevel: 'error',
      npm_package_name: 'agent-workspace',
    };
    const { said } = await end(start(['sh', '-c', 'env | grep ^npm_'], environment));
    expect(said.split('\n').filter((line) => line.startsWith('npm_'))).toEqual([
      'npm_lifecycle_event=daemon',
    ]);
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
