import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSandbox, listCommandLines } from '../testing/workspace-bed.ts';
import { createCommandTool } from '../tools/run-command-tool.ts';
import { type CommandLimits, defaultLimits } from './command-limits.ts';
import type { CommandSandbox } from './sandbox.ts';

const found = await findSandbox();
const sandboxes: readonly (readonly [string, CommandSandbox])[] = [
  ['without a sandbox', { kind: 'none', mode: 'off' }],
  ...(found === null ? [] : [['in bubblewrap', found] as const]),
];
let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'command-limits-')));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe.each(sandboxes)('a command %s', (_, sandbox) => {
  async function run(script: string, limits: Partial<CommandLimits>): Promise<string> {
    const { tool, close } = createCommandTool({
      workspacePath: root,
      sandbox,
      path: `${dirname(process.execPath)}:/usr/bin:/bin`,
      limits: { ...defaultLimits, ...limits },
      pause: () => delay(20),
    });
    const text = await tool.execute({ command: 'node', args: ['-e', script] }, { toolCallId: 'call-1' });
    await close();
    return text;
  }

  it('runs under limits of processor time, memory and file size, and leaves no core behind [NX-33]', async () => {
    const text = await run(`console.log(require('fs').readFileSync('/proc/self/limits', 'utf8'))`, {
      cpuSeconds: 77,
      memoryMb: 1_000,
      fileSizeMb: 3,
    });
    expect(text).toMatch(/Max cpu time +77 +77 /);
    expect(text).toMatch(/Max data size +2122317824 +2122317824 /);
    expect(text).toMatch(/Max file size +3145728 +3145728 /);
    expect(text).toMatch(/Max core file size +0 +0 /);
  });

  it('cannot write a file that is larger than it may, not even one full of holes [NX-33]', async () => {
    const script = `const fs = require('fs'); fs.writeFileSync('a', 'x');
try { fs.truncateSync('a', 8 * 2 ** 30); } catch (error) { console.log(error.code); }`;
    expect(await run(script, { fileSizeMb: 1 })).toBe('Exit code: 0\nEFBIG');
    expect((await stat(join(root, 'a'))).size).toBe(1);
  });

  it('cannot take more memory than it may [NX-33]', async () => {
    // Not faster than a busy machine lets the watcher see it: the kernel's limit, which is higher, would end it in other words.
    const script = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(2 ** 24, 1)), 10);';
    expect(await run(script, { memoryMb: 200 })).toMatch(/^Took more than 200 MB of memory/);
  });

  const family = (mark: string, child: string) => `const { spawn } = require('child_process');
for (let i = 0; i < 4; i++) spawn(process.execPath, ['-e', ${JSON.stringify(child)}, '${mark}'], { detached: true, stdio: 'ignore' });
setInterval(() => {}, 1000);`;

  it('is ended with all its processes when they take too much memory together [NX-33]', async () => {
    const mark = `family-${process.pid}-${sandbox.kind}-memory`;
    const child = 'const kept = Buffer.alloc(2 ** 27, 1); setInterval(() => kept, 1000)';
    expect(await run(family(mark, child), { memoryMb: 300 })).toMatch(
      /^Took more than 300 MB of memory and was ended, with everything that it had started\./,
    );
    expect((await listCommandLines()).filter((line) => line.includes(mark))).toEqual([]);
  });

  it('is ended with all its processes when they become too many [NX-33]', async () => {
    const mark = `family-${process.pid}-${sandbox.kind}-processes`;
    expect(await run(family(mark, 'setInterval(() => {}, 1000)'), { processes: 30 })).toMatch(
      /^Had more than 30 processes and threads and was ended|Resource temporarily unavailable|EAGAIN/,
    );
    expect((await listCommandLines()).filter((line) => line.includes(mark))).toEqual([]);
  });
});
