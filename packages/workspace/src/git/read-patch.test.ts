import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

let bed: WorkspaceBed;

beforeEach(async () => {
  bed = await startWorkspaceBed();
});

afterEach(() => bed.close());

it('tells what a run has changed by now: committed, edited, deleted and new files, and nothing else', async () => {
  const workspace = await bed.workspaces().open(bed.task());
  expect(await workspace.readPatch()).toBeNull();
  await writeFile(join(workspace.path, 'README.md'), 'shop\nof mine\n');
  await workspace.commitAll(() => 'mine');
  await rm(join(workspace.path, 'src', 'a.txt'));
  await mkdir(join(workspace.path, 'neu'));
  await writeFile(join(workspace.path, 'neu', 'ö.js'), '// TODO\nexport {}');
  const patch = (await workspace.readPatch()) ?? '';
  expect(patch.replaceAll(/^(index|deleted file|new file) .*\n/gm, '')).toMatchInlineSnapshot(`
    "diff --git a/README.md b/README.md
    --- a/README.md
    +++ b/README.md
    @@ -1 +1,2 @@
     shop
    +of mine
    diff --git a/src/a.txt b/src/a.txt
    --- a/src/a.txt
    +++ /dev/null
    @@ -1,2 +0,0 @@
    -one
    -two
    diff --git a/neu/ö.js b/neu/ö.js
    --- /dev/null
    +++ b/neu/ö.js
    @@ -0,0 +1,2 @@
    +// TODO
    +export {}
    "
  `);
});

it('reads no link, no binary file, no repository inside, and nothing that git ignores', async () => {
  const workspace = await bed.workspaces().open(bed.task());
  await symlink('/etc/passwd', join(workspace.path, 'link'));
  await writeFile(join(workspace.path, 'data'), 'a\0b');
  await writeFile(join(workspace.path, '.gitignore'), 'ignored\n');
  await writeFile(join(workspace.path, 'ignored'), 'TODO\n');
  execFileSync('git', ['init', '-q', join(workspace.path, 'inner')]);
  await writeFile(join(workspace.path, 'inner', 'x'), 'TODO\n');
  const added = (await workspace.readPatch())?.match(/^\+(?!\+\+).*$/gm);
  expect(added).toEqual(['+ignored']);
});
