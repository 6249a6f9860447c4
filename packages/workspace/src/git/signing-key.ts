import { execFile } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeTextFile } from '@agent/text/files';
import type { SigningConfig } from '../config/schemas.ts';
import { homePrefix, removeTree } from '../machine/directories.ts';
import { WorkspaceError } from '../workspace-error.ts';
import type { Environment, GitSignature } from './git-environment.ts';

/** Private key that commits are signed with. */
export interface SigningKey {
  readonly format: SigningConfig['format'];
  /** Key of the configuration that names it, for messages. */
  readonly source: string;
  /** Reads the key anew: it is a secret. */
  readonly read: () => Promise<string>;
}

/** Surroundings of a configured key. */
export interface OpenSigningKeyOptions {
  readonly environment: Environment;
  /** Finds a file that the configuration names. */
  readonly resolvePath: (path: string) => string;
  /** Told of the key before it is used: a secret from then on. */
  readonly onKey: (value: string) => void;
}

/** Makes the key that a configuration names. Nothing is read yet. */
export function openSigningKey(
  { format, key_env: variable, key_file: file }: SigningConfig,
  { environment, resolvePath, onKey }: OpenSigningKeyOptions,
): SigningKey {
  const source = file === null ? `key_env (${variable})` : `key_file (${file})`;
  const readText = async (): Promise<string> => {
    if (file === null) return environment[variable ?? ''] ?? '';
    const decoded = decodeTextFile(await readFile(resolvePath(file)));
    return decoded.kind === 'text' ? decoded.text : '';
  };
  const read = async (): Promise<string> => {
    const text = await readText().catch((cause) => refuse(source, `cannot be read (${cause.code})`));
    // A variable may have been written on one line, and a file on Windows.
    const key = text.replaceAll('\\n', '\n').replaceAll('\r\n', '\n').trim();
    if (key === '') refuse(source, 'has no key');
    onKey(key);
    if (format === 'ssh' && olderForm.test(key))
      refuse(source, `is in an older form: convert a copy of it with ssh-keygen -p -N "" -f FILE`);
    return key;
  };
  return { format, source, read };
}

/** Forms of private keys that ssh-keygen signs with only where the public key lies beside them. */
const olderForm = /^-----BEGIN (?:(?:RSA|EC|DSA|ENCRYPTED) )?PRIVATE KEY-----/;

function refuse(source: string, why: string): never {
  throw new WorkspaceError(`Commits cannot be signed: ${source} ${why}.`, { code: 'signing-failed' });
}

export interface SigningPlace {
  /** Directory that no command of the agent sees. */
  readonly directory: string;
  /** Environment that PATH is taken from. */
  readonly inherited: Environment;
}

/** Most characters of a directory in which gpg finds room for the name of its socket. */
export const maxOpenPgpDirectory = 70;

/**
 * Lends git the key for as long as one command takes: it lies in a private directory of its own, which is removed at once, and with
 * the homes of dead processes where this one is killed.
 */
export async function withSigningKey<T>(
  key: SigningKey,
  { directory, inherited }: SigningPlace,
  use: (signature: GitSignature) => Promise<T>,
): Promise<T> {
  const place = await mkdtemp(join(directory, `${homePrefix}key-`));
  try {
    const file = join(place, 'key');
    await writeFile(file, `${await key.read()}\n`, { mode: 0o600, flag: 'wx' });
    if (key.format === 'ssh') return await use(sshSignature(key.source, file));
    return await withKeyring(key, { place, file, path: inherited.PATH }, use);
  } finally {
    await removeTree(place);
  }
}

function sshSignature(source: string, file: string): GitSignature {
  const settings = [
    ['gpg.format', 'ssh'],
    ['gpg.ssh.program', 'ssh-keygen'],
    ['user.signingKey', file],
  ] as const;
  return { source, settings, keyring: null };
}

const execute = promisify(execFile);

/** Makes a keyring of this key alone. The agent that gpg starts for it ends with it. */
async function withKeyring<T>(
  key: SigningKey,
  {
    place,
    file,
    path = '',
  }: { readonly place: string; readonly file: string; readonly path?: string | undefined },
  use: (signature: GitSignature) => Promise<T>,
): Promise<T> {
  const env = { PATH: path, GNUPGHOME: place, HOME: '/dev/null', LC_ALL: 'C' };
  const gpg = (program: string, ...args: string[]) => execute(program, args, { env, timeout: 30_000 });
  await writeFile(join(place, 'gpg.conf'), 'batch\nno-tty\npinentry-mode error\n', { mode: 0o600 });
  try {
    await gpg('gpg', '--quiet', '--import', file);
    const { stdout } = await gpg('gpg', '--with-colons', '--list-secret-keys');
    const fingerprint = /^fpr:+([0-9A-F]+):$/m.exec(stdout)?.[1];
    if (fingerprint === undefined) refuse(key.source, 'holds no private key');
    // Git does not pass on why gpg could not sign.
    await gpg(
      'gpg',
      '--quiet',
      '--local-user',
      fingerprint,
      '--output',
      join(place, 'tried'),
      '--sign',
      file,
    );
    const settings = [
      ['gpg.format', 'openpgp'],
      ['gpg.program', 'gpg'],
      ['gpg.openpgp.program', 'gpg'],
      ['user.signingKey', fingerprint],
    ] as const;
    return await use({ source: key.source, settings, keyring: place });
  } catch (error) {
    throw error instanceof WorkspaceError ? error : explainKeyring(key, error as GpgFailure);
  } finally {
    await gpg('gpgconf', '--kill', 'all').catch(() => undefined);
  }
}

type GpgFailure = Error & { readonly code?: unknown; readonly stderr?: string };

function explainKeyring({ source }: SigningKey, { code, stderr = '' }: GpgFailure): WorkspaceError {
  if (code === 'ENOENT') return explainSigning(source, 'cannot run gpg');
  return explainSigning(source, stderr.includes('no valid OpenPGP data') ? 'invalid format' : stderr);
}

/** Reasons of a failure, by the words of the programs. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /passphrase|No pinentry|Inappropriate ioctl/i,
    'is protected by a passphrase, which cannot be entered here. Give the agent its own key without a passphrase',
  ],
  [
    /cannot run (?:ssh-keygen|gpg)|(?:ssh-keygen|gpg): not found/i,
    'needs a program that is not installed here: ssh-keygen (OpenSSH 8.2 or newer) for ssh, gpg for openpgp',
  ],
  [/unsupported value for gpg\.format/i, 'needs git 2.34 or newer, which can sign with ssh'],
  [
    /invalid format|error in libcrypto|private key|couldn't load|load key|no such identity|unusable|secret key not available/i,
    'is not a private key of the format that is configured (for openpgp exported with --armor), or cannot sign',
  ],
];

/** Makes the error of a command that could not sign; null where it failed for another reason. */
export function findSigningFailure(source: string, said: string): WorkspaceError | null {
  const failed =
    /\.agent-home-key-|cannot run |failed to sign|failed to write commit object|gpg\.format/i.test(said);
  return failed ? explainSigning(source, said) : null;
}

function explainSigning(source: string, said: string): WorkspaceError {
  const [, reason = 'could not be used'] = reasons.find(([pattern]) => pattern.test(said)) ?? [];
  // The directory of the key is gone, and means nothing to anybody.
  const quoted = said
    .replaceAll(/\S+/g, (word) => (word.includes(`${homePrefix}key-`) ? 'the key' : word))
    .trim()
    .split('\n')
    .slice(-4)
    .join(' | ');
  return new WorkspaceError(
    `Commits cannot be signed: ${source} of workspaces.signing ${reason}. (${quoted.slice(0, 500)})`,
    { code: 'signing-failed' },
  );
}
