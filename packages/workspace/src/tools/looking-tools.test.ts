import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileTools } from './file-tools.ts';

let base: string;
let root: string;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'file-tools-')));
  root = join(base, 'work');
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(join(base, 'secret.txt'), 'secret\n');
  await writeFile(join(root, '.git'), 'gitdir: /somewhere\n');
  await writeFile(join(root, 'src/a.txt'), 'one\ntwo\nthree\n');
});

afterEach(async () => {
  await rm(base, { recursive: true, force: true });
});

async function call(name: string, input: unknown): Promise<string> {
  const tool = createFileTools(root)[name];
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool.execute(input, { toolCallId: 'call-1' });
}

describe('list_files', () => {
  it('shows links without following them, and heavy directories without looking into them', async () => {
    await symlink(base, join(root, 'up'));
    await mkdir(join(root, 'node_modules/left-pad'), { recursive: true });
    expect(await call('list_files', {})).toBe(`node_modules/\nsrc/\nsrc/a.txt\nup -> ${base}`);
    expect(await call('list_files', { path: 'node_modules' })).toBe('node_modules/left-pad/');
    await expect(call('list_files', { path: 'src/a.txt' })).rejects.toThrow('use read_file');
  });

  it('stops at 1,000 entries and says so', async () => {
    await Promise.all(
      Array.from({ length: 1001 }, (_, index) => writeFile(join(root, 'src', `f${index}`), '')),
    );
    expect(await call('list_files', {})).toContain('… more than 1000 entries');
  });
});

describe('search_files', () => {
  it('finds lines by pattern, plain text, directory and glob', async () => {
    await writeFile(join(root, 'src/日本.ts'), 'const x1 = f(1);\n');
    await writeFile(join(root, 'b[1].py'), 'x2 = f(2)\n');
    expect(await call('search_files', { pattern: 'x\\d\\s*=' })).toBe(
      'b[1].py:1:x2 = f(2)\nsrc/日本.ts:1:const x1 = f(1);\n',
    );
    expect(await call('search_files', { pattern: 'F(', literal: true, ignore_case: true, path: 'src' })).toBe(
      'src/日本.ts:1:const x1 = f(1);\n',
    );
    expect(await call('search_files', { pattern: 'f', glob: '*.ts' })).toBe(
      'src/日本.ts:1:const x1 = f(1);\n',
    );
    expect(await call('search_files', { pattern: 'x', path: 'b[1].py' })).toBe('b[1].py:1:x2 = f(2)\n');
    expect(await call('search_files', { pattern: 'nothing at all' })).toBe('Nothing found.');
  });

  it('leaves out ignored files, binary files, links and git itself', async () => {
    await writeFile(join(root, '.gitignore'), 'ignored\n');
    await writeFile(join(root, 'ignored'), 'gitdir: secret\n');
    await writeFile(join(root, 'binary'), Buffer.from('secret\0gitdir:'));
    await symlink(join(base, 'secret.txt'), join(root, 'link'));
    expect(await call('search_files', { pattern: 'secret|gitdir:' })).toBe('Nothing found.');
  });

  it('is quick on a pattern that would take other matchers for ever, and caps what it shows', async () => {
    await writeFile(join(root, 'evil.txt'), `${'a'.repeat(50_000)}!\n`.repeat(20));
    const text = await call('search_files', { pattern: '^(a+)+$|a' });
    expect(text).toContain('bytes left out');
    expect(text.length).toBeLessThan(40_000);
  });

  it('refuses what its matcher cannot do', async () => {
    for (const pattern of ['(?=x)', '(a)\\1', '((a{99}){99}){99}', 'a\\', '(']) {
      await expect(call('search_files', { pattern })).rejects.toThrow(
        /cannot be used|too large|backslash|failed/,
      );
    }
  });

  it('says what is wrong with a git that is not there, does not end, or fails', async () => {
    const searchWith = async (script: string | null) => {
      const gitPath = join(base, 'git');
      await rm(gitPath, { force: true });
      if (script !== null) await writeFile(gitPath, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      const { search_files: search } = createFileTools(root, { gitPath, searchTimeoutMs: 100 });
      return search?.execute({ pattern: 'two' }, { toolCallId: 'call-1' });
    };
    await expect(searchWith(null)).rejects.toThrow('git, which searches, could not be started.');
    await expect(searchWith('exec sleep 60')).rejects.toThrow('The search took too long.');
    await expect(searchWith('echo no such thing >&2; exit 2')).rejects.toThrow(
      'The search failed: no such thing',
    );
  });
});
