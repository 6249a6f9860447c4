import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommandTool } from './run-command-tool.ts';
import { chooseSandbox } from './sandbox.ts';
import { type SandboxView, sandboxArguments, toolDirectory } from './sandbox-arguments.ts';

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

const view: SandboxView = {
  worktree: '/home/me/agent/worktrees/1',
  gitDirectories: ['/home/me/agent/repo.git'],
  home: '/tmp/agent-home-1',
  hiddenDirectories: ['/home/me/agent', '/home'],
  hiddenFiles: ['/srv/agent/.env'],
  visible: ['/home/me/node'],
  directory: '/home/me/agent/worktrees/1/sub',
  network: false,
};

describe('the arguments of bubblewrap', () => {
  const text = sandboxArguments(view).join(' ');

  it('hide first, from the outside in, and show afterwards what must be seen', () => {
    const order = [
      '--ro-bind / /',
      '--tmpfs /home ',
      '--tmpfs /home/me/agent ',
      '--ro-bind /dev/null /srv/agent/.env',
      '--ro-bind-try /home/me/node /home/me/node',
      '--ro-bind /home/me/agent/repo.git /home/me/agent/repo.git',
      '--bind /home/me/agent/worktrees/1 /home/me/agent/worktrees/1',
      '--ro-bind-try /home/me/agent/worktrees/1/.git',
      '--bind /tmp/agent-home-1',
    ].map((part) => text.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('share no network unless it is allowed, and never processes', () => {
    expect(text).toContain('--unshare-net');
    expect(text).toContain('--unshare-pid');
    expect(sandboxArguments({ ...view, network: true }).join(' ')).not.toContain('--unshare-net');
  });

  it('show of a hidden tool its own directory, never a home or ~/.local', () => {
    const homes = ['/home', '/home/me'];
    expect(toolDirectory('/home/me/.nvm/v24/bin', homes)).toBe('/home/me/.nvm/v24');
    expect(toolDirectory('/home/me/bin', homes)).toBe('/home/me/bin');
    expect(toolDirectory('/home/me/.local/bin', homes)).toBe('/home/me/.local/bin');
    expect(toolDirectory('/home/me/tools', homes)).toBe('/home/me/tools');
  });
});

describe('choosing a sandbox', () => {
  it('says why there is none, and refuses to go on where one is required', async () => {
    expect(await chooseSandbox({ mode: 'off' })).toMatchObject({ kind: 'none' });
    expect(await chooseSandbox({ mode: 'auto', path: base })).toMatchObject({
      kind: 'none',
      reason: expect.stringContaining('not installed'),
    });
    await expect(chooseSandbox({ mode: 'required', path: base })).rejects.toThrow('Install bubblewrap');
  });

  it('does not trust a bwrap that does not keep commands in', async () => {
    await writeFile(
      join(base, 'bwrap'),
      '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n',
      {
        mode: 0o755,
      },
    );
    expect(await chooseSandbox({ mode: 'auto', path: base })).toMatchObject({ kind: 'none' });
  });
});

describe('where bubblewrap works', () => {
  it('a command can change the worktree and nothing else, sees no secrets and reaches no network', async () => {
    const data = join(base, 'contexts');
    const mirror = join(base, 'repo.git');
    await mkdir(data);
    await mkdir(mirror);
    await writeFile(join(data, 'journal'), 'other task');
    await writeFile(join(mirror, 'config'), 'config');
    await writeFile(join(root, '.git'), 'gitdir: x');
    const sandbox = await chooseSandbox({ mode: 'auto', path, hidden: [base, data] });
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const outside = sandbox.kind === 'none' ? join(base, 'outside') : '/etc/agent-test';
    const script = `
const fs = require('fs');
const attempt = (work) => { try { return work(); } catch (error) { return error.code; } };
const report = {
  worktree: attempt(() => fs.writeFileSync('made.txt', 'x')) ?? 'written',
  git: attempt(() => fs.writeFileSync('.git', 'x')) ?? 'written',
  mirror: attempt(() => fs.writeFileSync(${JSON.stringify(join(mirror, 'config'))}, 'x')) ?? 'written',
  mirrorRead: attempt(() => fs.readFileSync(${JSON.stringify(join(mirror, 'config'))}, 'utf8')),
  data: attempt(() => fs.readFileSync(${JSON.stringify(join(data, 'journal'))}, 'utf8')),
  etc: attempt(() => fs.writeFileSync(${JSON.stringify(outside)}, 'x')) ?? 'written',
  home: attempt(() => fs.readdirSync(${JSON.stringify(homedir())}).filter((name) => name.startsWith('.')).length),
  daemon: attempt(() => fs.readFileSync('/proc/${process.pid}/environ', 'utf8').includes('PATH')),
};
fetch('http://127.0.0.1:${port}').then((r) => r.text(), () => 'unreachable').then((network) => console.log(JSON.stringify({ ...report, network })));
`;
    const tool = createCommandTool({ workspacePath: root, gitDirectories: [mirror], sandbox, path });
    const text = await tool.tool.execute({ command: 'node', args: ['-e', script] }, { toolCallId: 'call-1' });
    await tool.close();
    server.close();
    const report = JSON.parse(text.slice(text.indexOf('{')));
    expect(report).toMatchObject({
      worktree: 'written',
      mirrorRead: sandbox.kind === 'none' ? 'x' : 'config',
    });
    if (sandbox.kind === 'none') return;
    expect(report).toMatchObject({
      git: 'EROFS',
      mirror: 'EROFS',
      data: 'ENOENT',
      etc: 'EROFS',
      home: 0,
      daemon: 'ENOENT',
      network: 'unreachable',
    });
    expect(await readFile(join(root, 'made.txt'), 'utf8')).toBe('x');
  });

  it('git can look at a worktree whose directory it may not write to', async () => {
    const main = join(base, 'main');
    execFileSync('git', ['init', '--quiet', main]);
    const commit = [
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.com',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      'first',
    ];
    execFileSync('git', ['-C', main, ...commit]);
    execFileSync('git', ['-C', main, 'worktree', 'add', '--quiet', join(base, 'worktrees/run-2')]);
    const sandbox = await chooseSandbox({ mode: 'auto', path, hidden: [base] });
    const tool = createCommandTool({
      workspacePath: join(base, 'worktrees/run-2'),
      gitDirectories: [join(main, '.git')],
      sandbox,
      path,
    });
    const text = await tool.tool.execute(
      { command: 'git', args: ['log', '--format=%s'] },
      { toolCallId: 'call-1' },
    );
    await tool.close();
    expect(text).toBe('Exit code: 0\nfirst');
  });
});
