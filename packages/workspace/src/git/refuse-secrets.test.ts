import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutgoingGate, fingerprintOf } from '@agent/text/outgoing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bedToken, startWorkspaceBed, type WorkspaceBed } from '../testing/workspace-bed.ts';
import type { TaskWorkspace } from '../worktrees/task-workspace.ts';

let bed: WorkspaceBed;
beforeEach(async () => {
  bed = await startWorkspaceBed();
});
afterEach(() => bed.close());

// Put together here, so that scanners of this repository find nothing.
const key = ['npm', '_', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzA1b'].join('');
const branch = 'agent/issue-1-fix';

async function write(
  workspace: TaskWorkspace,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(workspace.path, path, '..'), { recursive: true });
    await writeFile(join(workspace.path, path), content);
  }
  await workspace.commitAll(() => 'work');
}

const wrap = (columns: number) => {
  const base64 = Buffer.from(`${'a'.repeat(2 * columns - 30)}${bedToken}${'b'.repeat(99)}`).toString(
    'base64',
  );
  return base64.replace(new RegExp(`.{${columns}}`, 'g'), '$&\n');
};

const branches = () => bed.server.git('acme/shop', 'for-each-ref', '--format=%(refname:short)');

describe('a push', () => {
  it('of a secret is refused with file, line and kind; what removes it is pushed without a trace of it [NX-40]', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { 'src/a.txt': `one\ntwo\nkey = ${key}\n`, 'b.txt': 'b\n' });
    const refused = await workspace.push().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'secrets-found',
      places: [
        { path: 'src/a.txt', line: 3, kind: 'token of a package registry', fingerprint: fingerprintOf(key) },
      ],
    });
    expect(String(refused)).not.toContain(key);
    expect(await branches()).toBe('main');
    expect(await readFile(join(workspace.path, 'src/a.txt'), 'utf8')).toContain(key);

    await write(workspace, { 'src/a.txt': 'one\ntwo\nkey = process.env.KEY\n' });
    const { sha } = await workspace.push();
    expect(await bed.server.git('acme/shop', 'log', '--format=%s', `main..${sha}`)).toBe('work');
    expect(await bed.server.git('acme/shop', 'log', '-p', '--all')).not.toContain(key);
    expect(await bed.server.git('acme/shop', 'show', `${sha}:b.txt`)).toBe('b');
  });

  it('is refused when an earlier commit held what a later one takes out [NX-40]', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { 'a.txt': `${key}\n` });
    await write(workspace, { 'a.txt': 'none\n' });
    await expect(workspace.push()).rejects.toMatchObject({ code: 'secrets-found' });
    await workspace.commitAll(() => 'anew');
    await workspace.push();
    expect(await bed.server.git('acme/shop', 'log', '-p', '--all')).not.toContain(key);
  });

  it('of what the server has already goes through: edited, moved and beside it [NX-40]', async () => {
    await bed.server.commit('acme/shop', { branch: 'main', files: { 'test/fixture.txt': `key: ${key}\n` } });
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { 'test/fixture.txt': `key: ${key} # a fixture\n`, 'moved.txt': `\n${key}\n` });
    await workspace.push();
    expect(await branches()).toContain(branch);
  });

  it.each<readonly [string, Readonly<Record<string, string | Uint8Array>>]>([
    ['as it is', { 'a.txt': bedToken }],
    ['in base64 of a login', { 'a.txt': Buffer.from(`x-access-token:${bedToken}`).toString('base64') }],
    ['in base64 that is wrapped', { 'a.txt': wrap(76), 'b.sh': wrap(64) }],
    ['in UTF-16 with a mark', { 'a.reg': Buffer.from(`\ufeffa\r\n${bedToken}\r\n`, 'utf16le') }],
    ['in UTF-16 of the other order', { 'a.txt': Buffer.from(`a\n${bedToken}\n`, 'utf16le').swap16() }],
    ['in a binary file', { 'a.bin': Buffer.concat([Buffer.of(0, 1, 2, 255, 10), Buffer.from(bedToken)]) }],
    ['in the name of a file', { [`dir/${bedToken}.txt`]: 'x' }],
    ['in an empty file', { [`${bedToken}`]: '' }],
  ])('of the token of the daemon is refused %s, whatever is allowed [NX-40]', async (_, files) => {
    const allow = { paths: Object.keys(files), fingerprints: [fingerprintOf(bedToken)] };
    const gate = createOutgoingGate({ secrets: [bedToken], places: [], allow });
    const workspace = await bed.workspaces({ gate }).open(bed.task());
    await write(workspace, files);
    await expect(workspace.push()).rejects.toMatchObject({ code: 'secrets-found' });
    expect(await branches()).toBe('main');
  });

  it('of a token in UTF-16 is refused with its line, where other lines of the file are there already [NX-40]', async () => {
    const utf16 = (text: string) => Buffer.from(text, 'utf16le');
    await bed.server.commit('acme/shop', {
      branch: 'main',
      files: { 'a.txt': String(utf16('\ufeffone\ntwo\n')) },
    });
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, { 'a.txt': utf16(`\ufeffone\nthree\n${bedToken}\ntwo\n`) });
    await expect(workspace.push()).rejects.toMatchObject({ places: [{ path: 'a.txt', line: 3 }] });
  });

  it('of what the operator allows goes through: by directory, by file, by value [NX-40]', {
    tags: ['full'],
  }, async () => {
    const files = { 'test/keys/a.txt': key, 'b.txt': key };
    const allowed = [
      { paths: ['test/keys/', 'b.txt'], fingerprints: [] },
      { paths: [], fingerprints: [fingerprintOf(key)] },
    ];
    for (const [index, allow] of allowed.entries()) {
      const gate = createOutgoingGate({ secrets: [], places: [], allow });
      const task = bed.task({ uuid: `run-${index}`, branch: `${branch}-${index}` });
      const workspace = await bed.workspaces({ gate }).open(task);
      await write(workspace, files);
      await workspace.push();
    }
    const gate = createOutgoingGate({
      secrets: [],
      places: [],
      allow: { paths: ['test/'], fingerprints: [] },
    });
    const workspace = await bed.workspaces({ gate }).open(bed.task());
    await write(workspace, { ...files, 'b.txt': `b\n${key}\n` });
    await expect(workspace.push()).rejects.toMatchObject({ places: [{ path: 'b.txt', line: 2 }] });
  });

  it('of ordinary code goes through, whatever it calls its variables [NX-40]', async () => {
    const workspace = await bed.workspaces().open(bed.task());
    await write(workspace, {
      'auth.js': [
        'const password = req.body.password;',
        "const fixture = { user: 'alice', password: 'hunter2hunter2', token: 'test-token-1' };",
        "const url = 'postgres://postgres:postgres@localhost:5432/shop';",
        "const aws = 'AKIAIOSFODNN7EXAMPLE';",
        "const apiKey = process.env.STRIPE_KEY ?? 'sk_test_xxxxxxxxxxxx';",
        "headers = { authorization: 'Bearer 1234567890123456' };",
      ].join('\n'),
      'package-lock.json': JSON.stringify({
        resolved: 'https://registry.example.org/a/-/a-1.0.0.tgz',
        integrity:
          'sha512-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYaB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYaB3dE5fG7hJ9kL1mN2pQ==',
      }),
    });
    await workspace.push();
  });
});
