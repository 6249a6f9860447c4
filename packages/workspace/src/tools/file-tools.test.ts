import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
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

const everyTool = [
  ['read_file', {}],
  ['list_files', {}],
  ['search_files', { pattern: 'secret' }],
  ['write_file', { content: 'x' }],
  ['edit_file', { old_text: 'secret', new_text: 'x' }],
  ['delete_file', {}],
] as const;

describe.each(everyTool)('%s', (name, rest) => {
  it.each([
    '../secret.txt',
    'src/../../secret.txt',
    '/etc/passwd',
    'src/\0',
    '.git',
    '.GIT',
    '.git/config',
    'sub/.Git/config',
    '.git./config',
    '.g\u200cit/config',
    'git~1/config',
  ])('refuses %j', async (path) => {
    await expect(call(name, { path, ...rest })).rejects.toThrow(
      /relative to the repository|belongs to git|NUL/,
    );
  });

  it('refuses links that lead out of the worktree, dangle or go round', async () => {
    await symlink(join(base, 'secret.txt'), join(root, 'link'));
    await symlink(base, join(root, 'up'));
    await symlink(join(base, 'new.txt'), join(root, 'dangling'));
    await symlink('round', join(root, 'round'));
    await symlink('.git', join(root, 'hidden'));
    const paths =
      name === 'delete_file' ? ['up/secret.txt'] : ['link', 'up/secret.txt', 'dangling', 'round', 'hidden'];
    for (const path of paths)
      await expect(call(name, { path, ...rest })).rejects.toThrow(/link|belongs to git/);
    expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('secret\n');
    await expect(stat(join(base, 'new.txt'))).rejects.toThrow('ENOENT');
  });
});

describe('read_file', () => {
  it('numbers the lines and says which of how many it shows', async () => {
    expect(await call('read_file', { path: './src//a.txt', offset: 2, limit: 1 })).toBe(
      'src/a.txt, lines 2-2 of 3; continue with offset 3\n2\ttwo',
    );
    expect(await call('read_file', { path: 'src/a.txt' })).toBe(
      'src/a.txt, lines 1-3 of 3\n1\tone\n2\ttwo\n3\tthree',
    );
    expect(await call('read_file', { path: 'src/a.txt', offset: 9 })).toBe('src/a.txt has only 3 lines.');
  });

  it('cuts long lines and long files, and goes on where it stopped', async () => {
    await writeFile(
      join(root, 'long.txt'),
      `${'界'.repeat(3000)}\n${'x'.repeat(1500).concat('\n').repeat(100)}`,
    );
    const text = await call('read_file', { path: 'long.txt' });
    expect(text).toContain('(3000 characters in this line)');
    expect(text).toMatch(/^long.txt, lines 1-\d\d of 101; continue with offset \d\d\n/);
    expect(text.length).toBeLessThan(101_000);
  });

  it('says when something is binary, too large, a directory or missing', async () => {
    await writeFile(join(root, 'image.png'), Buffer.from([0x89, 0x50, 0, 1]));
    await writeFile(join(root, 'latin.txt'), Buffer.from([0x66, 0xfc, 0x72]));
    await writeFile(join(root, 'huge.txt'), 'x'.repeat(6 * 1024 * 1024));
    await expect(call('read_file', { path: 'image.png' })).rejects.toThrow('not UTF-8 text (4 bytes)');
    await expect(call('read_file', { path: 'latin.txt' })).rejects.toThrow('not UTF-8 text');
    await expect(call('read_file', { path: 'huge.txt' })).rejects.toThrow('too large');
    await expect(call('read_file', { path: 'src' })).rejects.toThrow('is a directory');
    await expect(call('read_file', { path: 'nope.txt' })).rejects.toThrow('does not exist');
    await expect(call('read_file', { path: 'src/a.txt/b' })).rejects.toThrow('is a file, not a directory');
    await expect(call('read_file', { path: 'a'.repeat(300) })).rejects.toThrow('too long');
  });

  it('follows links that stay inside', async () => {
    await symlink('src/a.txt', join(root, 'inside'));
    expect(await call('read_file', { path: 'inside' })).toContain('1\tone');
  });

  it('answers a wrong input with what is wrong', async () => {
    await expect(call('read_file', { path: 5, offset: 0 })).rejects.toThrow(
      /path[\s\S]*offset|offset[\s\S]*path/,
    );
  });
});

describe('write_file', () => {
  it('makes directories, keeps modes and leaves nothing else behind', async () => {
    expect(await call('write_file', { path: 'new/deep/日本.txt', content: 'x\ny\n' })).toBe(
      'Made new/deep/日本.txt (2 lines).',
    );
    await chmod(join(root, 'src/a.txt'), 0o755);
    expect(await call('write_file', { path: 'src/a.txt', content: 'new' })).toBe(
      'Replaced src/a.txt (1 lines).',
    );
    expect((await stat(join(root, 'src/a.txt'))).mode & 0o777).toBe(0o755);
    expect(await call('list_files', { path: '.' })).toBe(
      'new/\nnew/deep/\nnew/deep/日本.txt\nsrc/\nsrc/a.txt',
    );
  });

  it('does not write through a hard link to a file outside', async () => {
    await link(join(base, 'secret.txt'), join(root, 'hard.txt'));
    await call('write_file', { path: 'hard.txt', content: 'mine' });
    expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('secret\n');
  });

  it('keeps the word for a hidden secret out of files that do not hold it [NX-36]', async () => {
    const hidden = /stands where a secret was hidden from you/;
    const write = (path: string, content: string) => call('write_file', { path, content });
    await expect(write('new.txt', 'password = [REDACTED]')).rejects.toThrow(hidden);
    await expect(write('src/a.txt', 'one [REDACTED]')).rejects.toThrow(hidden);
    const edit = { path: 'src/a.txt', old_text: 'two', new_text: '[REDACTED]' };
    await expect(call('edit_file', edit)).rejects.toThrow(hidden);
    expect(await readFile(join(root, 'src/a.txt'), 'utf8')).toBe('one\ntwo\nthree\n');

    await writeFile(join(root, 'src/redactor.txt'), 'it says [REDACTED]\n');
    await write('src/redactor.txt', 'it says "[REDACTED]"\n');
    expect(await readFile(join(root, 'src/redactor.txt'), 'utf8')).toBe('it says "[REDACTED]"\n');
  });

  it('refuses a directory, a path below a file and too much', async () => {
    await expect(call('write_file', { path: 'src', content: 'x' })).rejects.toThrow('not a regular file');
    await expect(call('write_file', { path: './', content: 'x' })).rejects.toThrow('path of a file');
    await expect(call('write_file', { path: 'src/a.txt/b/c', content: 'x' })).rejects.toThrow('is a file');
    await expect(call('write_file', { path: 'big', content: 'x'.repeat(6_000_000) })).rejects.toThrow(
      'too much',
    );
  });
});

describe('edit_file', () => {
  it('replaces a passage to the letter, with nothing special in it', async () => {
    await call('edit_file', { path: 'src/a.txt', old_text: 'two\n', new_text: "$& $1 $' 2\n" });
    expect(await readFile(join(root, 'src/a.txt'), 'utf8')).toBe("one\n$& $1 $' 2\nthree\n");
  });

  it('refuses a passage that stands more than once, with its lines, unless all are meant', async () => {
    const edit = { path: 'src/a.txt', old_text: 'e', new_text: 'E' };
    await expect(call('edit_file', edit)).rejects.toThrow('occurs 3 times (lines 1, 3, 3)');
    expect(await call('edit_file', { ...edit, replace_all: true })).toBe('Changed src/a.txt (3 places).');
  });

  it('takes escapes for the hidden characters that they show, unless the file has the escapes [NX-58]', async () => {
    await writeFile(join(root, 'hidden.ts'), 'const a\u200b = 1;\nconst b = "\\u{200B}";\n');
    await call('edit_file', {
      path: 'hidden.ts',
      old_text: 'const a\\u{200B} = 1;',
      new_text: 'const a = 1;',
    });
    await call('edit_file', { path: 'hidden.ts', old_text: '"\\u{200B}"', new_text: '"\\u{2060}"' });
    expect(await readFile(join(root, 'hidden.ts'), 'utf8')).toBe('const a = 1;\nconst b = "\\u{2060}";\n');
  });

  it('shows the nearest passage when it is missing', async () => {
    await writeFile(join(root, 'b.ts'), 'function f() {\n\treturn 1;\n}\n');
    const edit = { path: 'b.ts', old_text: '  return 1;', new_text: '' };
    await expect(call('edit_file', edit)).rejects.toThrow('The nearest is at line 2');
  });

  it('keeps CRLF line ends and a byte order mark', async () => {
    await writeFile(join(root, 'dos.txt'), '\uFEFFone\r\ntwo\r\n');
    await call('edit_file', { path: 'dos.txt', old_text: 'one\ntwo', new_text: '1\n2' });
    expect(await readFile(join(root, 'dos.txt'), 'utf8')).toBe('\uFEFF1\r\n2\r\n');
  });
});

describe('delete_file', () => {
  it('deletes a file, or a link but not what it leads to', async () => {
    await symlink(join(base, 'secret.txt'), join(root, 'link'));
    await call('delete_file', { path: 'link' });
    await call('delete_file', { path: 'src/a.txt' });
    expect(await readFile(join(base, 'secret.txt'), 'utf8')).toBe('secret\n');
    await expect(call('delete_file', { path: 'src' })).rejects.toThrow('is a directory');
    await expect(call('delete_file', { path: 'src/a.txt' })).rejects.toThrow('does not exist');
  });
});

it('says of each tool whether it only reads', () => {
  const readOnly = Object.entries(createFileTools(root)).filter(([, tool]) => tool.readOnly);
  expect(readOnly.map(([name]) => name)).toEqual(['list_files', 'read_file', 'search_files']);
});
