import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type GitServer, startGitServer } from '../testing/git-server.ts';
import { bedToken, startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';

let bed: WorkspaceBed;
let elsewhere: GitServer;
beforeEach(async () => {
  bed = await startWorkspaceBed();
  elsewhere = await startGitServer({ token: null });
});
afterEach(async () => {
  await bed.close();
  await elsewhere.close();
});

const maxBytes = 1024 * 1024;
const toModules = (modules: Readonly<Record<string, string>>) =>
  Object.entries(modules)
    .map(([path, url]) => `[submodule "of ${path}"]\n\tpath = ${path}\n\turl = ${url}\n`)
    .join('');

/** Adds a repository of one file, and answers its commit. */
async function addLibrary(server: GitServer, path: string, text = `${path}\n`): Promise<string> {
  await server.addRepository(path, { 'lib.txt': text });
  return server.git(path, 'rev-parse', 'main');
}

/** Names submodules on the base branch. */
const name = (modules: Readonly<Record<string, string>>, links: Readonly<Record<string, string>>) =>
  bed.server.commit('acme/shop', { branch: 'main', files: { '.gitmodules': toModules(modules) }, links });

const open = () => bed.workspaces().open(bed.task());
const read = (root: string, path: string) => readFile(join(root, path), 'utf8');

it('checks out what the rules allow, with the login of the own server for what is named there alone [NX-227]', async () => {
  const links = {
    'vendor/private': await addLibrary(bed.server, 'acme/private'),
    'vendor/public': await addLibrary(bed.server, 'other/public'),
    'vendor/hidden': await addLibrary(bed.server, 'acme/hidden'),
    'vendor/far': await addLibrary(elsewhere, 'lib/far'),
    'vendor/stranger': await addLibrary(elsewhere, 'lib/stranger'),
    'vendor/file': 'a'.repeat(40),
    'vendor/nameless': 'b'.repeat(40),
  };
  bed.server.isPublic = (path) => path.startsWith('/other/');
  const modules = {
    'vendor/private': '../private.git',
    'vendor/public': '../../other/public.git',
    'vendor/hidden': '../hidden.git',
    'vendor/far': `${elsewhere.url}/lib/far.git`,
    'vendor/stranger': `${elsewhere.url}/lib/stranger.git`,
    'vendor/file': bed.directory,
  };
  await name(modules, links);
  const workspace = await open();
  const allow = [`${bed.server.host}/acme/private`, `${elsewhere.host}/lib/far`];
  expect(await workspace.contents.checkOutSubmodules({ allow, maxBytes })).toEqual({
    made: ['vendor/far', 'vendor/private', 'vendor/public'],
    missing: [
      { path: 'vendor/file', why: 'address' },
      { path: 'vendor/hidden', why: 'unavailable' },
      { path: 'vendor/nameless', why: 'unnamed' },
      { path: 'vendor/stranger', why: 'not-allowed' },
    ],
  });
  expect(await read(workspace.path, 'vendor/private/lib.txt')).toBe('acme/private\n');
  expect(await read(workspace.path, 'vendor/public/lib.txt')).toBe('other/public\n');
  expect(await read(workspace.path, 'vendor/far/lib.txt')).toBe('lib/far\n');
  expect(await readdir(join(workspace.path, 'vendor/far'))).toEqual(['lib.txt']);
  expect(new Set(elsewhere.logins)).toEqual(new Set([null]));
  expect(bed.server.logins).toContain(`x-access-token:${bedToken}`);
});

it('changes nothing of what the run commits, and keeps what is there when it is asked again [NX-227]', {
  tags: ['full'],
}, async () => {
  const sha = await addLibrary(bed.server, 'acme/lib');
  await name({ lib: '../lib.git' }, { lib: sha });
  const rules = { allow: [`${bed.server.host}/*`], maxBytes };
  const workspace = await open();
  await workspace.contents.checkOutSubmodules(rules);
  expect(await workspace.readPatch()).toBeNull();
  expect(await workspace.commitAll(() => 'Nothing')).toBeNull();
  await writeFile(join(workspace.path, 'lib/lib.txt'), 'changed\n');
  await writeFile(join(workspace.path, 'lib/new.txt'), 'new\n');
  await writeFile(join(workspace.path, 'README.md'), 'changed\n');
  const again = await open();
  expect(await again.contents.checkOutSubmodules(rules)).toEqual({ made: [], missing: [] });
  expect(await read(again.path, 'lib/new.txt')).toBe('new\n');
  let paths: readonly string[] = [];
  await again.commitAll((changed) => {
    paths = changed;
    return 'Change';
  });
  expect(paths).toEqual(['README.md']);
  await again.push();
  const listed = await bed.server.git('acme/shop', 'ls-tree', bed.task().branch, 'lib');
  expect(listed).toBe(`160000 commit ${sha}\tlib`);
});

it('follows the commit that the branch names, and asks no server for one that was fetched [NX-227]', {
  tags: ['full'],
}, async () => {
  const first = await addLibrary(elsewhere, 'lib/far', 'one\n');
  const second = await elsewhere.commit('lib/far', { branch: 'main', files: { 'lib.txt': 'two\n' } });
  const rules = { allow: [`${elsewhere.host}/*`], maxBytes };
  const url = `${elsewhere.url}/lib/far.git`;
  await name({ far: url }, { far: first });
  const one = await open();
  await one.contents.checkOutSubmodules(rules);
  expect(await read(one.path, 'far/lib.txt')).toBe('one\n');
  const asked = elsewhere.logins.length;
  await bed.server.commit('acme/shop', { branch: 'next', files: {}, links: { far: second } });
  const two = await bed.workspaces().open(bed.task({ uuid: 'run-2', branch: 'next' }));
  expect(await two.contents.checkOutSubmodules(rules)).toEqual({ made: ['far'], missing: [] });
  expect(await read(two.path, 'far/lib.txt')).toBe('two\n');
  expect(elsewhere.logins.length).toBe(asked);
});

it('asks the base branch where they come from, and not the branch under work [NX-227]', async () => {
  const sha = await addLibrary(bed.server, 'acme/lib');
  const files = { '.gitmodules': toModules({ lib: '../lib.git' }) };
  await bed.server.commit('acme/shop', { branch: 'agent/issue-1-fix', files, links: { lib: sha } });
  const workspace = await open();
  expect(await workspace.contents.checkOutSubmodules({ allow: [`${bed.server.host}/*`], maxBytes })).toEqual({
    made: [],
    missing: [{ path: 'lib', why: 'unnamed' }],
  });
});

it('checks out submodules of submodules by the same rules, three deep [NX-227]', {
  tags: ['full'],
}, async () => {
  let sha = await addLibrary(bed.server, 'acme/lib0');
  for (const depth of [1, 2, 3, 4]) {
    const path = `acme/lib${depth}`;
    await bed.server.addRepository(path, { 'lib.txt': `${path}\n` });
    const files = { '.gitmodules': toModules({ in: `../lib${depth - 1}.git` }) };
    sha = await bed.server.commit(path, { branch: 'main', files, links: { in: sha } });
  }
  await name({ lib: '../lib4.git' }, { lib: sha });
  const workspace = await open();
  expect(await workspace.contents.checkOutSubmodules({ allow: [`${bed.server.host}/*`], maxBytes })).toEqual({
    made: ['lib'],
    missing: [{ path: 'lib/in/in/in', why: 'too-deep' }],
  });
  expect(await read(workspace.path, 'lib/in/in/lib.txt')).toBe('acme/lib2\n');
});

it('leaves out what takes more than is allowed, fetched or checked out [NX-227]', async () => {
  const noise = Array.from({ length: 40_000 }, (_, at) => Math.sin(at)).join('\n');
  const links = {
    noise: await addLibrary(elsewhere, 'lib/noise', noise),
    wide: await addLibrary(elsewhere, 'lib/wide', '0'.repeat(400_000)),
    small: await addLibrary(elsewhere, 'lib/small'),
  };
  const urlOf = (path: string) => `${elsewhere.url}/lib/${path}.git`;
  await name({ noise: urlOf('noise'), wide: urlOf('wide'), small: urlOf('small') }, links);
  const workspace = await open();
  const rules = { allow: [`${elsewhere.host}/*`], maxBytes: 128 * 1024 };
  expect(await workspace.contents.checkOutSubmodules(rules)).toEqual({
    made: ['small'],
    missing: [
      { path: 'noise', why: 'unavailable' },
      { path: 'wide', why: 'too-large' },
    ],
  });
  const packs = join(bed.directory, 'kept/.submodules/public', elsewhere.host.replace(':', '_'));
  expect(await readdir(join(packs, 'lib/noise.git/objects/pack')).catch(() => [])).toEqual([]);
});

it('writes nowhere but into the worktree, and not over what the run has put there [NX-227]', async () => {
  const sha = await addLibrary(bed.server, 'acme/lib');
  const url = '../lib.git';
  await name({ 'a/lib': url, 'b/lib': url, c: url }, { 'a/lib': sha, 'b/lib': sha, c: sha });
  const workspace = await open();
  const outside = join(bed.directory, 'outside');
  await mkdir(outside);
  await rm(join(workspace.path, 'a'), { recursive: true });
  await symlink(outside, join(workspace.path, 'a'));
  await writeFile(join(workspace.path, 'b/lib/own.txt'), 'own\n');
  const rules = { allow: [`${bed.server.host}/*`], maxBytes };
  expect(await workspace.contents.checkOutSubmodules(rules)).toEqual({ made: ['c'], missing: [] });
  expect(await readdir(outside)).toEqual([]);
  expect(await readdir(join(workspace.path, 'b/lib'))).toEqual(['own.txt']);
});

it('runs no hook and no filter of a submodule [NX-227]', async () => {
  const files = { '.gitattributes': '* filter=own\n', hook: '#!/bin/sh\ntouch ran\n' };
  await bed.server.addRepository('acme/lib', files);
  const sha = await bed.server.git('acme/lib', 'rev-parse', 'main');
  await name({ lib: '../lib.git' }, { lib: sha });
  const workspace = await open();
  const rules = { allow: [`${bed.server.host}/*`], maxBytes };
  const mirror = join(
    bed.directory,
    'kept/.submodules/login',
    bed.server.host.replace(':', '_'),
    'acme/lib.git',
  );
  await mkdir(join(mirror, 'hooks'), { recursive: true });
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
    const path = join(mirror, 'hooks', hook);
    await writeFile(path, `#!/bin/sh\ntouch ${bed.directory}/ran\n`);
    await chmod(path, 0o755);
  }
  await writeFile(join(mirror, 'config'), `[filter "own"]\n\tsmudge = touch ${bed.directory}/ran\n`);
  expect((await workspace.contents.checkOutSubmodules(rules)).made).toEqual(['lib']);
  expect(await readdir(bed.directory)).not.toContain('ran');
});
