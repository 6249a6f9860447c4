import { execFile } from 'node:child_process';
import { access, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled, startWorkspaceBed, type WorkspaceBed, withProgram } from '../testing/workspace-bed.ts';
import { checkSigning } from './git-signing.ts';
import { openSigningKey, type SigningKey } from './signing-key.ts';

const execute = promisify(execFile);

let bed: WorkspaceBed;
let keys: string;
let gpgHome: string;

beforeAll(async () => {
  bed = await startWorkspaceBed();
  keys = await mkdtemp(join(tmpdir(), 'keys-'));
  gpgHome = await mkdtemp(join(tmpdir(), 'gpg-'));
  if (isInstalled('ssh-keygen')) {
    await makeSshKey('plain', '');
    await makeSshKey('locked', 'a passphrase');
  }
  await writeFile(join(keys, 'nonsense'), 'no key at all\n');
  await writeFile(join(keys, 'older'), ['-----BEGIN RSA ', 'PRIVATE KEY-----\n'].join(''));
});

afterAll(async () => {
  await gpg('gpgconf', '--kill', 'all').catch(() => undefined);
  await rm(keys, { recursive: true, force: true });
  await rm(gpgHome, { recursive: true, force: true });
  await bed.close();
});

const makeSshKey = (name: string, passphrase: string) =>
  execute('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', name, '-f', join(keys, name)]);

const gpg = (program: string, ...args: string[]) =>
  execute(program, args, { env: { ...process.env, GNUPGHOME: gpgHome } });

/** A test that passes without showing anything where a program is missing. */
function itWith(program: string, name: string, body: () => Promise<void>): void {
  it(withProgram(name, program), async () => {
    if (isInstalled(program)) await body();
  });
}

function keyFile(name: string, format: SigningKey['format'] = 'ssh'): SigningKey {
  const settings = { format, key_file: join(keys, name), key_env: null };
  return openSigningKey(settings, { environment: {}, resolvePath: (path) => path, onKey: () => {} });
}

/** Verifies a commit as a person does who has the agent's public key, and nothing of its own. */
async function verify(commit: string, mirror: string): Promise<string> {
  const allowed = join(keys, 'allowed');
  await writeFile(allowed, `agent@example.com ${await readFile(join(keys, 'plain.pub'), 'utf8')}`);
  const trusting = ['-c', `gpg.ssh.allowedSignersFile=${allowed}`];
  const env = { ...process.env, GNUPGHOME: gpgHome };
  const { stderr, stdout } = await execute(
    'git',
    ['-C', mirror, ...trusting, 'verify-commit', '-v', commit],
    {
      env,
    },
  );
  return stderr + stdout;
}

const options = () => ({ directory: bed.directory, environment: process.env });

describe('commits', () => {
  itWith(
    'ssh-keygen',
    'are signed with the key that is configured, and git verifies them [NX-397]',
    async () => {
      const workspaces = bed.workspaces({ signingKey: keyFile('plain') });
      const workspace = await workspaces.open(bed.task({ uuid: 'signed', branch: 'agent/signed' }));
      await writeFile(join(workspace.path, 'README.md'), 'signed\n');
      const commit = await workspace.commitAll(() => 'Signed');
      const [mirror = ''] = workspace.gitDirectories;
      expect(await verify(commit?.sha ?? '', mirror)).toContain('Good "git" signature for agent@example.com');
      expect(await listKeys()).toEqual([]);
    },
  );

  itWith(
    'ssh-keygen',
    'of merges, and those that are put on top of what others pushed, are signed too [NX-397]',
    async () => {
      const task = bed.task({ uuid: 'merging', branch: 'agent/merging' });
      const workspaces = bed.workspaces({ signingKey: keyFile('plain') });
      const workspace = await workspaces.open(task);
      const [mirror = ''] = workspace.gitDirectories;
      await writeFile(join(workspace.path, 'own.txt'), 'own\n');
      await workspace.commitAll(() => 'Own');
      await workspace.push();
      await bed.server.commit('acme/shop', { branch: task.branch, files: { 'theirs.txt': 'theirs\n' } });
      await writeFile(join(workspace.path, 'own.txt'), 'more\n');
      await workspace.commitAll(() => 'More');
      const rebased = await workspace.push();
      expect(await verify(rebased.sha, mirror)).toContain('Good "git" signature');
      await bed.server.commit('acme/shop', { branch: 'main', files: { 'base.txt': 'base\n' } });
      const merged = await workspace.merging.mergeBase('Merge main');
      expect(merged.kind).toBe('merged');
      expect(await verify(merged.kind === 'merged' ? merged.sha : '', mirror)).toContain(
        'Good "git" signature',
      );
    },
  );

  itWith(
    'ssh-keygen',
    'are signed by the programs of the machine, not by those of the repository [NX-32, NX-397]',
    async () => {
      const environment = { ...process.env, PATH: `.:${process.env.PATH}:` };
      const workspaces = bed.workspaces({ signingKey: keyFile('plain'), environment });
      const workspace = await workspaces.open(bed.task({ uuid: 'posing', branch: 'agent/posing' }));
      const ran = join(keys, 'ran');
      for (const program of ['git', 'ssh-keygen'])
        await writeFile(join(workspace.path, program), `#!/bin/sh\n: > ${ran}\nexit 1\n`, { mode: 0o755 });
      const commit = await workspace.commitAll(() => 'Signed');
      const [mirror = ''] = workspace.gitDirectories;
      expect(await verify(commit?.sha ?? '', mirror)).toContain('Good "git" signature');
      await expect(access(ran)).rejects.toThrow('ENOENT');
    },
  );

  it('are as they were where no key is configured [NX-397]', async () => {
    const workspace = await bed.workspaces().open(bed.task({ uuid: 'bare', branch: 'agent/bare' }));
    await writeFile(join(workspace.path, 'README.md'), 'bare\n');
    const commit = await workspace.commitAll(() => 'Bare');
    const [mirror = ''] = workspace.gitDirectories;
    const { stdout } = await execute('git', ['-C', mirror, 'cat-file', 'commit', commit?.sha ?? '']);
    expect(stdout).not.toContain('gpgsig');
  });

  itWith(
    'ssh-keygen',
    'are not made where they cannot be signed, and the changes stay [NX-398]',
    async () => {
      const workspaces = bed.workspaces({ signingKey: keyFile('locked') });
      const workspace = await workspaces.open(bed.task({ uuid: 'locked', branch: 'agent/locked' }));
      await writeFile(join(workspace.path, 'README.md'), 'locked\n');
      const before = await workspace.tip();
      await expect(workspace.commitAll(() => 'Locked')).rejects.toMatchObject({ code: 'signing-failed' });
      expect(await workspace.tip()).toBe(before);
      expect(await readFile(join(workspace.path, 'README.md'), 'utf8')).toBe('locked\n');
      expect(await listKeys()).toEqual([]);
    },
  );
});

describe('a signing key', () => {
  for (const [name, reason] of [
    ['locked', 'passphrase'],
    ['plain.pub', 'not a private key'],
    ['nonsense', 'not a private key'],
    ['missing', 'cannot be read (ENOENT)'],
    ['older', 'in an older form'],
  ] as const)
    itWith('ssh-keygen', `${name} is refused at the check, with the reason [NX-398]`, async () => {
      await expect(checkSigning(keyFile(name), options())).rejects.toMatchObject({
        code: 'signing-failed',
        message: expect.stringContaining(reason),
      });
    });

  itWith(
    'ssh-keygen',
    'of a variable works without its last line end, and is told as a secret [NX-397, NX-399]',
    async () => {
      const text = await readFile(join(keys, 'plain'), 'utf8');
      const told: string[] = [];
      const key = openSigningKey(
        { format: 'ssh', key_env: 'SIGNING_KEY', key_file: null },
        {
          environment: { SIGNING_KEY: text.trim() },
          resolvePath: (path) => path,
          onKey: (value) => told.push(value),
        },
      );
      await checkSigning(key, options());
      expect(told).toEqual([text.trim()]);
    },
  );

  itWith('ssh-keygen', 'works with the line ends of Windows, and on one line [NX-397]', async () => {
    const text = await readFile(join(keys, 'plain'), 'utf8');
    for (const end of ['\r\n', '\\n']) {
      const key = openSigningKey(
        { format: 'ssh', key_env: 'SIGNING_KEY', key_file: null },
        {
          environment: { SIGNING_KEY: text.replaceAll('\n', end) },
          ...{ resolvePath: (path) => path, onKey: () => {} },
        },
      );
      await checkSigning(key, options());
    }
  });

  it('is refused by what is missing where its program is not installed [NX-398]', async () => {
    const path = await mkdtemp(join(keys, 'bin-'));
    const { stdout } = await execute('sh', ['-c', 'command -v git']);
    await symlink(stdout.trim(), join(path, 'git'));
    const environment = { ...process.env, PATH: path };
    const checked = checkSigning(keyFile('plain'), { ...options(), environment });
    await expect(checked).rejects.toThrow('needs a program that is not installed here');
  });

  itWith('ssh-keygen', 'is in no variable of git, nor in what it says when it fails [NX-399]', async () => {
    const text = await readFile(join(keys, 'locked'), 'utf8');
    const error: Error = await checkSigning(keyFile('locked'), options()).then(
      () => new Error('signed'),
      (caught) => caught,
    );
    expect(error.message).not.toContain(text.split('\n')[1]);
    expect(error.message).not.toContain('.agent-home-key-');
  });
});

describe('a key of gpg', () => {
  const exported = async (name: string, passphrase: string) => {
    const unattended = ['--batch', '--pinentry-mode', 'loopback', '--passphrase', passphrase];
    await gpg(
      'gpg',
      ...unattended,
      '--quick-generate-key',
      `${name} <${name}@example.com>`,
      'ed25519',
      'sign',
    );
    const { stdout } = await gpg(
      'gpg',
      ...unattended,
      '--armor',
      '--export-secret-keys',
      `${name}@example.com`,
    );
    await writeFile(join(keys, `${name}.asc`), stdout);
  };

  itWith('gpg', 'signs, and git verifies what it signed [NX-397]', async () => {
    await exported('agent', '');
    const workspaces = bed.workspaces({ signingKey: keyFile('agent.asc', 'openpgp') });
    const workspace = await workspaces.open(bed.task({ uuid: 'gpg', branch: 'agent/gpg' }));
    await writeFile(join(workspace.path, 'README.md'), 'gpg\n');
    const commit = await workspace.commitAll(() => 'Signed');
    const [mirror = ''] = workspace.gitDirectories;
    expect(await verify(commit?.sha ?? '', mirror)).toContain(
      'Good signature from "agent <agent@example.com>"',
    );
    expect(await listKeys()).toEqual([]);
  });

  itWith(
    'gpg',
    'with a passphrase, and one that is none, are refused at the check, with the reason [NX-398]',
    async () => {
      await exported('guarded', 'a passphrase');
      await expect(checkSigning(keyFile('guarded.asc', 'openpgp'), options())).rejects.toThrow('passphrase');
      await expect(checkSigning(keyFile('plain', 'openpgp'), options())).rejects.toThrow('not a private key');
      const long = { ...options(), directory: `/srv/${'x'.repeat(80)}` };
      await expect(checkSigning(keyFile('agent.asc', 'openpgp'), long)).rejects.toThrow('longer than 70');
    },
  );
});

async function listKeys(): Promise<readonly string[]> {
  return (await readdir(join(bed.directory, 'kept'))).filter((name) => name.includes('key'));
}
