// @module-tag full
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runIn } from '../pack/create-project.ts';
import { listPublishablePackages } from '../workspace/list-packages.ts';
import { repositoryRoot } from '../workspace/root.ts';

describe('a package of the workspace', () => {
  it.each(listPublishablePackages())(
    'has the scripts build, lint, typecheck and test: $folder',
    ({ folder, manifest }) => {
      expect(Object.keys(manifest.scripts ?? {})).toEqual(
        expect.arrayContaining(['build', 'lint', 'typecheck', 'test']),
      );
      // A copied manifest would run the tests of the package that it was copied from.
      expect(manifest.scripts?.test).toContain(` ${folder}/`);
    },
  );

  it('is tested by pnpm in its own folder', async () => {
    const output = await runIn(join(repositoryRoot, 'packages', 'thread-context'), ['pnpm', 'test']);
    expect(output).toMatch(/Tests .*\d+ passed/);
    expect(output).toContain('packages/thread-context/src/');
    expect(output).not.toContain('packages/text/');
  });
});
