import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listChanged } from './list-changed.ts';

let root: string;
const git = (...args: readonly string[]): void => {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid', ...args], {
    cwd: root,
    stdio: 'ignore',
  });
};
const write = (name: string): void => writeFileSync(join(root, name), `${name}\n`);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'list-changed-'));
  git('init', '--initial-branch=main');
  for (const name of ['old.ts', 'gone.ts', 'edited.ts']) write(name);
  git('add', '.');
  git('commit', '--message=old');
});

afterEach(() => rmSync(root, { recursive: true }));

it('lists what was committed on the branch, edited or added since it left the other, and nothing that is gone', () => {
  git('switch', '--create', 'work');
  write('committed.ts');
  git('add', '.');
  git('commit', '--message=work');
  git('switch', 'main');
  write('theirs.ts');
  git('add', '.');
  git('commit', '--message=theirs');
  git('switch', 'work');
  writeFileSync(join(root, 'edited.ts'), 'otherwise\n');
  write('new.ts');
  rmSync(join(root, 'gone.ts'));
  expect(listChanged(root, 'main')).toEqual(['committed.ts', 'edited.ts', 'new.ts']);
});

it('says so when there is no such branch', () => {
  expect(() => listChanged(root, 'nothing')).toThrow('merge-base nothing');
});
