import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toKeyDecisions } from '@agent/context-inheritance';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTreeReader } from './read-tree-file.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'tree-'));
  await mkdir(join(base, 'tree', 'src'), { recursive: true });
  await writeFile(join(base, 'outside.ts'), 'secret');
  await writeFile(join(base, 'tree', 'src', 'sum.ts'), '\uFEFFa\r\n\tround(sum);\r\n');
  await writeFile(join(base, 'tree', 'binary'), Buffer.from([0, 255, 254, 10, 97, 10]));
  await writeFile(join(base, 'tree', 'huge'), Buffer.alloc(2_097_153));
  await symlink(join(base, 'outside.ts'), join(base, 'tree', 'link.ts'));
  await symlink(join(base, 'tree', 'src', 'sum.ts'), join(base, 'tree', 'inner.ts'));
  await symlink('loop', join(base, 'tree', 'loop'));
  await symlink(base, join(base, 'tree', 'up'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const evidenceOf = async (paths: string[], quote: string | null) => {
  const decision = { text: 'x', subject: null, source: null, replaces: [], paths, quote };
  const readFile = createTreeReader(join(base, 'tree'));
  const context = { runUuid: 'r', sources: new Map(), inherited: [], readFile };
  const [decided] = await toKeyDecisions([decision], context);
  return decided?.evidence ?? null;
};

describe('the evidence of a decision', () => {
  it.each([
    '../outside.ts',
    'src/../../outside.ts',
    '/etc/passwd',
    'C:/windows',
    '..\\outside.ts',
    'link.ts',
    'up/outside.ts',
    'loop',
    'src',
    'src/sum.ts/x',
    'SRC/missing.ts',
    'huge',
    '',
    'a\0b',
    `${'a/'.repeat(149)}b`,
    'x'.repeat(299),
  ])('never has the path %j', async (path) => {
    expect(await evidenceOf([path], null)).toBeNull();
  });

  it('has files of the tree, binary ones too, each path once', async () => {
    const paths = ['src/sum.ts', 'src/sum.ts', 'inner.ts', 'binary', 'link.ts'];
    expect(await evidenceOf(paths, 'round(sum);')).toEqual({
      ...{ paths: ['src/sum.ts', 'inner.ts', 'binary'], quote: 'round(sum);' },
    });
  });

  it.each(['round(sum)', 'a\r\n\tround(sum);', '   ', 'round(sum);'.repeat(40)])(
    'has no quote that is not one line of its files: %j',
    async (quote) => {
      expect(await evidenceOf(['src/sum.ts'], quote)).toEqual({ paths: ['src/sum.ts'], quote: null });
    },
  );
});
