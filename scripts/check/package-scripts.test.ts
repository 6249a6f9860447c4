// @module-tag full
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runIn } from '../pack/create-project.ts';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';

describe('a package of the workspace', () => {
  it.each(listPublishablePackages())(
    'has the scripts build, lint, typecheck and test: $folder',
    ({ manifest }) => {
      expect(Object.keys(manifest.scripts ?? {})).toEqual(
        expect.arrayContaining(['build', 'lint', 'typecheck', 'test']),
      );
    },
  );

  it('is tested by pnpm in its own folder', async () => {
    const output = await runIn(join(repositoryRoot, 'packages', 'thread-context'), ['pnpm', 'test']);
    expect(output).toMatch(/Tests .*\d+ passed/);
    expect(output).toContain('packages/thread-context/src/');
    expect(output).not.toContain('packages/text/');
  });
});
