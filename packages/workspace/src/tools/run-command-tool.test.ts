import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CommandSandbox } from '../sandbox/sandbox.ts';
import { findSandbox, listCommandLines } from '../testing/workspace-bed.ts';
import { type CommandTool, type CommandToolOptions, createCommandTool } from './run-command-tool.ts';

const found = await findSandbox();
const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
const sandboxes: readonly (readonly [string, CommandSandbox])[] = [
  ['without a sandbox', { kind: 'none', mode: 'off' }],
  ...(found === null ? [] : [['in bubblewrap', found] as const]),
];
let root: string;
let opened: CommandTool[];

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'run-command-')));
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((tool) => tool.close()));
  await rm(root, { recursive: true, force: true });
});

describe.each(sandboxes)('run_command %s', (_, sandbox) => {
  function tool(options: Partial<CommandToolOptions> = {}): CommandTool {
    const created = createCommandTool({ workspacePath: root, sandbox, path, timeoutMs: 20_000, ...options });
    opened.push(created);
    return created;
  }

  async function run(input: object, options: Partial<CommandToolOptions> & { signal?: AbortSignal } = {}) {
    const { signal, ...rest } = options;
    return tool(rest).tool.execute(input, { toolCallId: 'call-1', signal });
  }

  const node = (script: string, ...args: string[]) => ({ command: 'node', args: ['-e', script, ...args] });

  it('answers what was written to both outputs, in order, and the exit code', async () => {
    const script = `const fs = require('fs'); for (let i = 0; i < 4; i++) fs.writeSync(i % 2 + 1, 'line ' + i + '\\n'); process.exit(3)`;
    expect(await run(node(script))).toBe('Exit code: 3\nline 0\nline 1\nline 2\nline 3');
  });

  it('says how a command failed to later runs, and nothing where it did not [NX-54]', async () => {
    const failures: string[] = [];
    const onFailure = (failure: string) => void failures.push(failure);
    const end = async (script: string) => {
      await tool().tool.execute(node(script), { toolCallId: 'call-1', onFailure });
    };
    await end('process.exit(0)');
    expect(failures).toEqual([]);
    await end('process.exit(3)');
    expect(failures).toEqual(['exit code 3']);
  });

  it('passes arguments as they are: no shell reads them', async () => {
    const odd = ['$HOME', '`id`', '; echo x', '*', "'", '"', '日本 語', ''];
    const text = await run(node('console.log(JSON.stringify(process.argv.slice(1)))', ...odd));
    expect(text).toBe(`Exit code: 0\n${JSON.stringify(odd)}`);
  });

  it.each(['sh', 'bash', '/bin/sh', './node', '../node', 'curl', ''])('does not run %j', async (command) => {
    await expect(run({ command })).rejects.toThrow(/Commands that can be run: .*node|does not fit/);
  });

  it('lets git look only', async () => {
    for (const args of [
      ['push'],
      ['-c', 'alias.x=!id', 'x'],
      ['diff', '--output=x'],
      ['grep', '-Oid', 'x'],
    ]) {
      await expect(run({ command: 'git', args })).rejects.toThrow(/may only read|leave it out/);
    }
  });

  it('says when an allowed command is not installed, and never takes one from the repository', async () => {
    await symlink(process.execPath, join(root, 'mytool'));
    await writeFile(join(root, 'other'), '#!/bin/sh\necho mine\n', { mode: 0o755 });
    const options = { allowedCommands: ['other'], path: `${root}:.:${path}` };
    await expect(run({ command: 'other' }, options)).rejects.toThrow('not installed');
  });

  it('runs in the directory asked for, never outside', async () => {
    await mkdir(join(root, 'sub'));
    const input = { ...node('console.log(process.cwd())'), working_directory: 'sub' };
    expect(await run(input)).toBe(`Exit code: 0\n${join(root, 'sub')}`);
    for (const directory of ['..', '/tmp', '.git', 'missing']) {
      await expect(run({ ...input, working_directory: directory })).rejects.toThrow(/repository|git/);
    }
  });

  it('shows a command nothing of the daemon’s environment', async () => {
    process.env.AGENT_TEST_TOKEN = 'ghp_do_not_show';
    try {
      const script = `console.log(JSON.stringify(process.env), require('fs').readFileSync('/proc/self/environ', 'utf8'))`;
      const text = await run(node(script), { environment: { EXTRA: 'yes' } });
      expect(text).not.toContain('ghp_do_not_show');
      const seen = Object.keys(JSON.parse(text.slice(text.indexOf('{'), text.indexOf('}') + 1)));
      const given = ['AGENT_COMMAND_ID', 'CI', 'EXTRA', 'HOME', 'LANG', 'PATH', 'TERM', 'TMPDIR'];
      const git = [
        'GIT_CONFIG_GLOBAL',
        'GIT_CONFIG_NOSYSTEM',
        'GIT_OPTIONAL_LOCKS',
        'GIT_PAGER',
        'GIT_TERMINAL_PROMPT',
      ];
      expect(seen.filter((name) => name !== 'PWD' && name !== 'OLDPWD' && name !== '_').sort()).toEqual(
        [...given, ...git].sort(),
      );
    } finally {
      delete process.env.AGENT_TEST_TOKEN;
    }
  });

  it('gives all commands of a run one private home, which goes when the run ends', async () => {
    const one = tool();
    const call = (script: string) => one.tool.execute(node(script), { toolCallId: 'call-1' });
    await call(`require('fs').writeFileSync(process.env.HOME + '/x', 'kept')`);
    expect(await call(`console.log(require('fs').readFileSync(process.env.HOME + '/x', 'utf8'))`)).toContain(
      'kept',
    );
    const home = (await call('console.log(process.env.HOME)')).split('\n')[1] ?? '';
    await one.close();
    await expect(stat(home)).rejects.toThrow('ENOENT');
  });

  it('ends everything that a command started when its time is over', async () => {
    const mark = `forever-${process.pid}-${sandbox.kind}-timeout`;
    const text = await run(node(startFamily(mark, 'setInterval(() => {}, 1000)')), { timeoutMs: 1500 });
    expect(text).toMatch(/^Timed out after 1.5 s/);
    expect(text).toContain('family started');
    expect(await findProcesses(mark)).toEqual([]);
  });

  it('ends what a command leaves behind when it ends by itself', async () => {
    const mark = `forever-${process.pid}-${sandbox.kind}-left`;
    const text = await run(node(startFamily(mark, 'setTimeout(() => process.exit(0), 300)')));
    expect(text).toContain('Exit code: 0\nfamily started');
    expect(await findProcesses(mark)).toEqual([]);
  });

  it('ends everything at once when the signal says so', { tags: ['full'] }, async () => {
    const mark = `forever-${process.pid}-${sandbox.kind}-abort`;
    const signal = AbortSignal.timeout(800);
    await expect(run(node(startFamily(mark, 'setInterval(() => {}, 1000)')), { signal })).rejects.toThrow(
      'timeout',
    );
    expect(await findProcesses(mark)).toEqual([]);
  });

  it('keeps beginning and end of 50 MB of output', async () => {
    const script = `const { writeSync } = require('fs'); const line = 'x'.repeat(999) + '\\n'; writeSync(1, 'first\\n');
for (let i = 0; i < 50000; i++) writeSync(1, line); writeSync(1, 'last\\n');`;
    const text = await run(node(script), { maxOutputBytes: 8000 });
    expect(text).toMatch(/^Exit code: 0\nfirst\n/);
    expect(text).toMatch(/last$/);
    expect(text).toContain('… 49992011 bytes left out …');
    expect(text.length).toBeLessThan(8200);
  });

  it('takes colors and control characters out of the output', async () => {
    expect(await run(node(`process.stdout.write('\\x1b[31mred\\x1b[0m\\0 end')`))).toBe(
      'Exit code: 0\nred end',
    );
  });
});

/** A child in the same group and one in a session of its own, which ignores SIGTERM; then whatever the parent does. */
function startFamily(mark: string, then: string): string {
  const child = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); // ${mark}`;
  return `const { spawn } = require('child_process');
for (const detached of [false, true]) {
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached, stdio: 'inherit' });
  if (detached) child.unref();
}
setTimeout(() => { require('fs').writeSync(1, 'family started\\n'); }, 100);
${then}`;
}

/** Running processes with these words in their command line; the dead that nobody has buried do not count. */
async function findProcesses(words: string): Promise<readonly string[]> {
  return (await listCommandLines()).filter((line) => line.includes(words));
}
