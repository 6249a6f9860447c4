import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSandbox, sandboxed } from '../testing/workspace-bed.ts';
import { type CommandToolOptions, createCommandTool } from '../tools/run-command-tool.ts';
import { type CommandSandbox, chooseSandbox, examineSandbox } from './sandbox.ts';
import { type SandboxView, sandboxArguments } from './sandbox-arguments.ts';

const execute = promisify(execFile);
const bubblewrap = await findSandbox();
const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
let base: string;
let root: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'sandbox-')));
  root = join(base, 'worktrees/run-1');
  await mkdir(root, { recursive: true });
});

afterEach(async () => {
  await rm(base, { recursive: true, force: true });
});

/** A test that needs bubblewrap; where there is none its name says that nothing was shown, and `required` is refused. */
function itInside(name: string, test: (sandbox: NonNullable<typeof bubblewrap>) => Promise<void>): void {
  it(sandboxed(name, bubblewrap), async () => {
    if (bubblewrap !== null) return test(bubblewrap);
    await expect(chooseSandbox({ mode: 'required', allowRoot: true })).rejects.toThrow('install bubblewrap');
  });
}

/** Runs a script of Node in the worktree and parses what it prints. */
async function report(script: string, options: Partial<CommandToolOptions>): Promise<unknown> {
  const sandbox = { kind: 'none', mode: 'off' } as const;
  const tool = createCommandTool({ workspacePath: root, sandbox, path, ...options });
  const text = await tool.tool.execute({ command: 'node', args: ['-e', script] }, { toolCallId: 'call-1' });
  await tool.close();
  expect(text).toContain('Exit code: 0');
  return JSON.parse(text.slice(text.indexOf('{')));
}

const attempt = `const fs = require('fs');
const attempt = (work) => { try { return work() ?? 'done'; } catch (error) { return error.code; } };`;

const readAll = (files: readonly string[]) => `${attempt}
console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(files)}.map((file) => [file, attempt(() => fs.readFileSync(file, 'utf8'))]))));`;

describe('the arguments of bubblewrap', () => {
  const view: SandboxView = {
    system: ['--ro-bind', '/usr', '/usr'],
    shown: [
      { path: '/home/me/node/bin', source: '/home/me/node/v24/bin' },
      { path: '/home/me', source: '/home/me' },
    ],
    hiddenDirectories: ['/home/me/agent'],
    hiddenFiles: ['/home/me/.npmrc'],
    gitDirectories: ['/home/me/agent/repo.git'],
    worktree: '/home/me/agent/worktrees/1',
    home: '/tmp/agent-home-1',
    directory: '/home/me/agent/worktrees/1/sub',
    sockets: null,
    nestedNamespaces: false,
    options: new Set(['--disable-userns', '--size']),
  };
  const text = sandboxArguments(view).join(' ');

  it('begin with nothing, show what is named, hide what lies in it, and put the task on top [NX-32]', () => {
    const order = [
      '--ro-bind /usr /usr',
      '--proc /proc --remount-ro /proc',
      '--ro-bind /home/me /home/me',
      '--ro-bind /home/me/node/v24/bin /home/me/node/bin',
      '--tmpfs /home/me/agent ',
      '--ro-bind /dev/null /home/me/.npmrc',
      '--ro-bind /home/me/agent/repo.git /home/me/agent/repo.git',
      '--bind /home/me/agent/worktrees/1 /home/me/agent/worktrees/1',
      '--ro-bind-try /home/me/agent/worktrees/1/.git',
      '--bind /tmp/agent-home-1',
      '--remount-ro /home/me/agent ',
      '--remount-ro / ',
    ].map((part) => text.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(text).not.toContain('--ro-bind / /');
  });

  it('never share the network or the processes of the machine', () => {
    expect(text).toContain('--unshare-net');
    expect(text).toContain('--unshare-pid');
  });

  it('allow no user namespaces inside, where bubblewrap knows how, and leave out what it does not know', () => {
    expect(text).toContain('--unshare-user --disable-userns');
    const old = sandboxArguments({ ...view, options: new Set() }).join(' ');
    expect(old).not.toMatch(/--disable-userns|--size/);
  });
});

describe('choosing a sandbox', () => {
  it('takes the word of a configuration that wants none, and refuses where one is required and missing [NX-31]', async () => {
    const ours = { allowRoot: true, path: base };
    expect(await chooseSandbox({ mode: 'off', ...ours })).toEqual({ kind: 'none', mode: 'off' });
    expect(await chooseSandbox({ mode: 'external', ...ours })).toEqual({ kind: 'none', mode: 'external' });
    await expect(chooseSandbox({ mode: 'required', ...ours })).rejects.toThrow(
      /bubblewrap \(bwrap\) is not installed: install bubblewrap.*sandbox: external .*sandbox: off/,
    );
  });

  it.each(['required', 'external', 'off'] as const)(
    'refuses root under %s unless it is allowed by name [NX-31]',
    async (mode) => {
      await expect(chooseSandbox({ mode, userId: 0, path: base })).rejects.toThrow(
        'tools.run_command.allow_root: true',
      );
      await expect(chooseSandbox({ mode: 'off', userId: 1000 })).resolves.toMatchObject({ kind: 'none' });
    },
  );

  it('names all that stands in the way at once, each in one sentence that says what to do [NX-411]', async () => {
    const { sandbox, obstacles } = await examineSandbox({ mode: 'required', userId: 0, path: base });
    expect(sandbox).toBeNull();
    expect(obstacles.map(({ kind }) => kind)).toEqual(['root', 'bubblewrap-missing']);
    for (const { message } of obstacles) expect(message).not.toMatch(/\. /);
    await expect(chooseSandbox({ mode: 'required', userId: 0, path: base })).rejects.toThrow(
      /allow_root: true .*install bubblewrap/,
    );
  });

  it('says on another system than Linux that bubblewrap cannot be had there', async () => {
    const { obstacles } = await examineSandbox({ mode: 'required', userId: 501, platform: 'darwin' });
    expect(obstacles).toMatchObject([{ kind: 'other-system', problem: expect.stringContaining('darwin') }]);
    expect(obstacles[0]?.message).toMatch(/in a Linux container; .*sandbox: external .*sandbox: off/);
  });

  /** Puts a `bwrap` on PATH that changes its arguments before the real one gets them. */
  async function chooseWith(real: string, change: string): Promise<CommandSandbox> {
    const script = `#!/bin/bash
[ "$1" = --help ] && exec ${real} --help
mapfile -d '' -t args <&3
command=("\${@:3}")
${change}
printf '%s\\0' "\${args[@]}" > ${base}/arguments
exec ${real} --args 3 "\${command[@]}" 3< ${base}/arguments\n`;
    await writeFile(join(base, 'bwrap'), script, { mode: 0o755 });
    return chooseSandbox({ mode: 'required', allowRoot: true, path: `${base}:${path}` });
  }

  /** A line of bash that leaves out or replaces an argument. */
  const replace = (argument: string, other: string) =>
    `for i in "\${!args[@]}"; do [ "\${args[i]}" = ${argument} ] && args[i]=${other}; done`;

  itInside('works without --disable-userns if bubblewrap cannot do it', async ({ path: real }) => {
    const refuse = `for one in "\${args[@]}"; do [ "$one" = --disable-userns ] && exit 1; done`;
    const sandbox = await chooseWith(real, refuse);
    expect(sandbox).toMatchObject({ kind: 'bubblewrap', options: new Set(['--size']) });
  });

  it('does not trust a bwrap that does not keep commands in, and says what it let through [NX-31]', async () => {
    const open =
      '#!/bin/sh\n[ "$1" = --help ] && exit\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n';
    await writeFile(join(base, 'bwrap'), open, { mode: 0o755 });
    await expect(
      chooseSandbox({ mode: 'required', allowRoot: true, path: `${base}:${path}` }),
    ).rejects.toThrow('does not isolate commands (a hidden file can be seen)');
  });

  const settings = `for i in "\${!args[@]}"; do [ "\${args[i-1]}\${args[i]}" = --remount-ro/proc ] && args[i]=/dev; done`;
  for (const [name, change, finding] of [
    ['settings of the kernel are writable', settings, 'settings of the kernel can be written to'],
    [
      'the network is shared',
      replace('--unshare-net', '--unshare-ipc'),
      'the network of the machine is shared',
    ],
    ['system calls are not filtered', `command=("\${command[@]:2}")`, 'system calls are not filtered'],
    ['a file is left open', 'exec 7< /etc/passwd', 'an open file of the daemon is inherited'],
    [
      'process 1 names paths of the machine',
      `exec 3<&-; exec BWRAP "\${args[@]}" "\${command[@]}"`,
      'process 1 names paths of the machine',
    ],
    [
      'keys of the kernel are listed',
      `for i in "\${!args[@]}"; do [ "\${args[i]}" = /proc/keys ] && args[i]=/tmp/keys; done`,
      'keys of the kernel can be listed',
    ],
  ] as const)
    itInside(`does not trust a bwrap under which ${name} [NX-32]`, async ({ path: real }) => {
      await expect(chooseWith(real, change.replace('BWRAP', real))).rejects.toThrow(finding);
    });

  itInside('does not start if bubblewrap refuses the filter of system calls', async ({ path: real }) => {
    const said =
      'bwrap: Unable to set up system call filtering as requested: prctl(PR_SET_SECCOMP) reported EINVAL';
    const refuse = `case " \${command[*]} " in *" --seccomp "*) echo ${JSON.stringify(said)} >&2; exit 1;; esac`;
    await expect(chooseWith(real, refuse)).rejects.toThrow(
      /Unable to set up system call filtering.*use a kernel with seccomp filters/,
    );
    const other = examineSandbox({ mode: 'required', allowRoot: true, architecture: 'riscv64' });
    expect((await other).obstacles).toMatchObject([
      { kind: 'filter-refused', problem: expect.stringContaining('riscv64') },
    ]);
  });
});

describe('inside', () => {
  itInside(
    'a command can change the worktree and nothing else, sees no secrets and reaches no network [NX-32]',
    async (sandbox) => {
      const data = join(base, 'contexts');
      const mirror = join(base, 'repo.git');
      await mkdir(data);
      await mkdir(mirror);
      await writeFile(join(data, 'journal'), 'other task');
      await writeFile(join(mirror, 'config'), 'config');
      await writeFile(join(root, '.git'), 'gitdir: x');
      const server = createServer((_, response) => response.end('reached'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const script = `${attempt}
const report = {
  worktree: attempt(() => fs.writeFileSync('made.txt', 'x')),
  git: attempt(() => fs.writeFileSync('.git', 'x')),
  mirror: attempt(() => fs.writeFileSync(${JSON.stringify(join(mirror, 'config'))}, 'x')),
  mirrorRead: attempt(() => fs.readFileSync(${JSON.stringify(join(mirror, 'config'))}, 'utf8')),
  data: attempt(() => fs.readFileSync(${JSON.stringify(join(data, 'journal'))}, 'utf8')),
  etc: attempt(() => fs.writeFileSync('/etc/agent-test', 'x')),
  root: attempt(() => fs.writeFileSync('/agent-test', 'x')),
  dev: attempt(() => fs.writeFileSync('/dev/agent-test', 'x')),
  kernel: attempt(() => fs.openSync('/proc/sys/kernel/core_pattern', 'r+')),
  ownProcess: attempt(() => fs.openSync('/proc/self/oom_score_adj', 'r+')),
  shadow: attempt(() => fs.readFileSync('/etc/shadow', 'utf8')),
  home: attempt(() => fs.readdirSync(${JSON.stringify(homedir())})),
  srv: attempt(() => fs.readdirSync('/srv')),
  var: attempt(() => fs.readdirSync('/var/lib')),
  daemon: attempt(() => fs.readFileSync('/proc/${process.pid}/environ', 'utf8').includes('PATH')),
};
fetch('http://127.0.0.1:${port}').then((r) => r.text(), () => 'unreachable').then((network) => console.log(JSON.stringify({ ...report, network })));`;
      const seen = await report(script, { sandbox, gitDirectories: [mirror] });
      server.close();
      expect(seen).toMatchObject({
        worktree: 'done',
        git: 'EROFS',
        mirror: 'EROFS',
        mirrorRead: 'config',
        data: 'ENOENT',
        etc: 'EROFS',
        root: 'EROFS',
        dev: 'EROFS',
        shadow: 'ENOENT',
        srv: 'ENOENT',
        var: 'ENOENT',
        ownProcess: 'EROFS',
        daemon: 'ENOENT',
        network: 'unreachable',
      });
      expect(['EROFS', 'EACCES']).toContain((seen as { kernel: string }).kernel);
      expect(await readFile(join(root, 'made.txt'), 'utf8')).toBe('x');
    },
  );

  itInside(
    'a directory on PATH uncovers nothing that lies beside it, nor a secret in it [NX-32]',
    async (sandbox) => {
      const kit = join(base, 'home/.cargo');
      const files = [
        'bin/tool',
        'bin/.env',
        'bin/credentials.json',
        'lib/helper',
        'credentials.toml',
        'config.yml',
      ];
      for (const file of [...files, '../.npmrc']) {
        await mkdir(dirname(join(kit, file)), { recursive: true });
        await writeFile(join(kit, file), 'content', { mode: 0o755 });
      }
      await symlink(kit, join(base, 'home/current'));
      const seen = await report(
        readAll([
          ...files.map((file) => join(kit, file)),
          ...files.map((file) => join(base, 'home/current', file)),
          join(base, 'home/.npmrc'),
        ]),
        {
          sandbox,
          path: `${base}/home/current/bin:${path}`,
        },
      );
      const readable = Object.entries(seen as Record<string, string>).filter(
        ([, text]) => text === 'content',
      );
      expect(readable.map(([file]) => file.slice(base.length))).toEqual([
        ...['/home/.cargo/bin/tool', '/home/.cargo/lib/helper'],
        ...['/home/current/bin/tool', '/home/current/lib/helper'],
      ]);
    },
  );

  itInside(
    "what the configuration shows can be read, but for the daemon's own files in it [NX-32]",
    async (sandbox) => {
      await mkdir(join(base, 'sdk/agent/contexts'), { recursive: true });
      const files = ['sdk/header.h', 'sdk/.npmrc', 'sdk/agent/.env', 'sdk/agent/contexts/journal', 'beside'];
      for (const file of files) await writeFile(join(base, file), 'content');
      const hidden = [join(base, 'sdk/agent/.env'), join(base, 'sdk/agent/contexts')];
      const seen = await report(readAll(files.map((file) => join(base, file))), {
        sandbox: { ...sandbox, shown: [join(base, 'sdk')], hidden },
      });
      const readable = Object.entries(seen as Record<string, string>).filter(
        ([, text]) => text === 'content',
      );
      expect(readable.map(([file]) => file)).toEqual([join(base, 'sdk/header.h')]);
    },
  );

  itInside('a worktree lies on top of a hidden directory', async (sandbox) => {
    await writeFile(join(root, 'mine'), 'content');
    const kept = { ...sandbox, shown: [base], hidden: [join(base, 'worktrees')] };
    expect(await report(readAll(['mine']), { sandbox: kept })).toEqual({ mine: 'content' });
  });

  itInside('git can look at a worktree whose directory it may not write to', async (sandbox) => {
    const main = join(base, 'main');
    await execute('git', ['init', '--quiet', main]);
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    await execute('git', ['-C', main, ...author, 'commit', '--quiet', '--allow-empty', '-m', 'first']);
    await execute('git', ['-C', main, 'worktree', 'add', '--quiet', join(base, 'worktrees/run-2')]);
    const tool = createCommandTool({
      workspacePath: join(base, 'worktrees/run-2'),
      gitDirectories: [join(main, '.git')],
      sandbox,
      path,
    });
    const call = { command: 'git', args: ['log', '--format=%s'] };
    expect(await tool.tool.execute(call, { toolCallId: 'call-1' })).toBe('Exit code: 0\nfirst');
    await tool.close();
  });
});
