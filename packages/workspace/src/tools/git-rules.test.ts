import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkGit, defaultCommands } from './command-rules.ts';

const execute = promisify(execFile);
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'git-rules-'));
  await execute('git', ['init', '--quiet', directory]);
  await writeFile(join(directory, 'one.txt'), 'one\n');
  await execute('git', ['-C', directory, 'add', '.']);
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  await execute('git', ['-C', directory, ...author, 'commit', '--quiet', '--message', 'One']);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const split = (line: string) => line.split(' ');

describe('git', () => {
  it.each([
    'grep --open-files-in-pager=./evil.sh one',
    'grep --open-files=./evil.sh one',
    'grep --open=./evil.sh one',
    'grep -O./evil.sh one',
    'grep -nO./evil.sh one',
    'grep -iO./evil.sh one',
    'grep -f /etc/passwd',
    'grep --no-index root /etc',
    'grep --no-ind root',
    'diff --no-index one.txt other.txt',
    'diff one.txt /etc/passwd',
    'diff one.txt ../outside',
    'diff -- one.txt /etc/passwd',
    'diff -- sub/../../outside one.txt',
    'diff --output=x',
    'diff --outp=x',
    'diff --ext-diff',
    'diff --textconv',
    'diff -O/etc/passwd',
    'log -O/etc/passwd',
    'log --output=x',
    'log --show-signature',
    'log --format=%GK',
    'for-each-ref --format=%(signature:key)',
    'for-each-ref --format %(signature:key)',
    'show --ext-diff',
    'blame --contents /etc/passwd one.txt',
    'blame --cont=/etc/passwd one.txt',
    'blame -S /etc/passwd one.txt',
    'blame --ignore-revs-file=/etc/passwd one.txt',
    'cat-file --textconv HEAD:one.txt',
    'cat-file --filters HEAD:one.txt',
    'ls-files --exclude-from=/etc/passwd',
    'ls-files -X /etc/passwd',
    '-c core.pager=./evil.sh log',
    '--exec-path=. log',
    '--git-dir=/elsewhere log',
    '--work-tree=/ status',
    '-C / status',
    '-p log',
    'push',
    'commit',
    'constructor',
    '__proto__',
  ])('refuses %s [NX-34]', (line) => {
    expect(() => checkGit(split(line))).toThrow(/may only read|leave it out|lead out of/);
  });

  it.each([
    'status --short --branch',
    'status -sb',
    'diff',
    'diff --stat HEAD',
    'diff --cached -U5 -- one.txt',
    'diff HEAD...HEAD',
    'diff HEAD..HEAD -- one.txt',
    'log --oneline -5',
    'log -n 3 --format=%h%x20%s',
    'log -p -Sone -- one.txt',
    'log -L1,1:one.txt',
    'show HEAD:one.txt',
    'show --stat',
    'blame -L1,1 one.txt',
    'grep -n one',
    'grep -e /ne --or -e one',
    'grep -rnI -e one --and -e n',
    'ls-files --others --exclude-standard',
    'ls-tree -r --name-only HEAD',
    'rev-parse --short HEAD',
    'rev-list --count HEAD',
    'for-each-ref --format=%(refname)',
    'shortlog -sn HEAD',
    'cat-file -p HEAD',
    'version',
  ])('lets %s look, and git understands it [NX-34]', async (line) => {
    checkGit(split(line));
    const before = await readdir(directory);
    await execute('git', ['-C', directory, ...split(line)], {
      env: { PATH: process.env.PATH, GIT_PAGER: 'cat' },
    });
    expect(await readdir(directory)).toEqual(before);
  });
});

it('has nothing in the default list that writes or starts a program by an option, but tools that run code anyway [NX-34]', () => {
  expect(defaultCommands).toEqual(
    expect.not.arrayContaining(['find', 'sort', 'uniq', 'xargs', 'env', 'tar', 'sed', 'awk']),
  );
});
