import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findCertainSecrets } from './index.ts';

// Put together here, so that scanners of this repository find nothing.
const named = (value: string) => `password=${value}`;
const mixed = 'Kd82hfQ9sk29dkfQ1Zx7';
const hexadecimal = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';

it.each([
  ['long and drawn from letters and digits', mixed],
  ['of 32 hexadecimal digits', hexadecimal],
  ['of six signs alike', `${mixed}LLLLLL`],
])('a value with a name is certain: %s [NX-40]', async (_, value) => {
  expect(await findCertainSecrets(named(value))).toEqual([
    { kind: 'password', start: 9, end: 9 + value.length },
  ]);
});

it.each([
  ['short', 'Hunter22'],
  ['a sign short of twenty', mixed.slice(1)],
  ['long, and of one kind of letters', 'onlylettersinlowercase'],
  ['of 31 hexadecimal digits', hexadecimal.slice(1)],
  ['of seven signs alike', `${mixed}LLLLLLL`],
])('a value with a name is not certain: %s [NX-40]', async (_, value) => {
  expect(await findCertainSecrets(named(value))).toEqual([]);
});

it('takes for an example what begins with seven signs alike [NX-40]', async () => {
  expect(await findCertainSecrets(named(`LLLLLLL${mixed}`))).toEqual([]);
});

it('names the longer one of two that begin together [NX-40]', async () => {
  const value = ['gh', 'p_', mixed, mixed, '/', mixed].join('');
  expect(await findCertainSecrets(named(value))).toMatchObject([{ start: 9, end: 9 + value.length }]);
});

describe('a random value behind a word is certain', () => {
  it.each([
    ['upper-case hexadecimal', `token = "${hexadecimal.toUpperCase()}0A1B2C3D"`],
    ['of small letters and digits', `token = "${['q7zk2mwp9xrt4v', 'hn8sbd3gfy6jcl1aue'].join('')}"`],
    ['of capital letters and digits', `TOKEN=${['Q7ZK2MWPXRTVHN', 'SBD3GFYJCLAUEXW5KI'].join('')}`],
    ['a UUID', `API_KEY=${['9f3b1c7e-52ad-4e8f', 'b0c6-1d7a94e2f583'].join('-')}`],
    ['a UUID in capital letters', `API_KEY=${['9F3B1C7E-52AD-4E8F', 'B0C6-1D7A94E2F583'].join('-')}`],
  ])('%s', async (_, text) => {
    expect(await findCertainSecrets(text)).toMatchObject([{ kind: 'secret by its name' }]);
  });

  it.each([
    ['a name with numbers', 'token = useSharedSecret2ForVersion3OfTheApi'.toLowerCase()],
    ['the UUID of manuals', 'api_key: 123e4567-e89b-12d3-a456-426614174000'],
    ['a UUID of zeros', 'api_key: 00000000-0000-0000-0000-00000000000a'],
  ])('but not %s', async (_, text) => {
    expect(await findCertainSecrets(text)).toEqual([]);
  });
});

describe('a private key is certain', () => {
  /** The format that `ssh-keygen` writes: zero bytes for "no cipher" and the counts. */
  function toOpenSsh(type: string, parts: readonly Buffer[]): string {
    const field = (bytes: Buffer | string) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(bytes));
      return Buffer.concat([length, Buffer.from(bytes)]);
    };
    const open = [field(type), ...parts.map(field)];
    const one = Buffer.from([0, 0, 0, 1]);
    const head = [Buffer.from('openssh-key-v1\0'), field('none'), field('none'), field(''), one];
    const body = Buffer.concat([
      ...head,
      field(Buffer.concat(open)),
      field(Buffer.concat([...open, ...open])),
    ]);
    return frameKey('OPENSSH PRIVATE KEY', body.toString('base64'));
  }

  const frameKey = (name: string, body: string) =>
    [`-----BEGIN ${name}-----`, ...(body.match(/.{1,70}/g) ?? []), `-----END ${name}-----`, ''].join('\n');

  const pems = (['ed25519', 'x25519'] as const).map((type) => {
    const { privateKey } = generateKeyPairSync(type as 'ed25519');
    return [type, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()] as const;
  });
  const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { privateKey: curve } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  it.each<readonly [string, string]>([
    ...pems,
    ['rsa', rsa.export({ type: 'pkcs1', format: 'pem' }).toString()],
    ['ec', curve.export({ type: 'sec1', format: 'pem' }).toString()],
    ['OpenSSH', toOpenSsh('ssh-ed25519', [randomBytes(32), randomBytes(64)])],
    ['OpenSSH, long', toOpenSsh('ssh-rsa', [randomBytes(257), randomBytes(1_600)])],
    [
      'with words and signs alike',
      frameKey('PRIVATE KEY', `${mixed}exampleAAAAAAAAAAsample${mixed.repeat(4)}`),
    ],
  ])('%s', async (_, key) => {
    const written = [
      key,
      key.replace(/^/gm, '  '),
      JSON.stringify({ key }),
      Buffer.from(key).toString('base64'),
    ];
    for (const text of written) {
      const [found, ...others] = await findCertainSecrets(text);
      expect([found?.kind.includes('private'), others], text).toEqual([true, []]);
      expect((found?.end ?? 0) - (found?.start ?? 0)).toBeGreaterThan(key.length * 0.8);
    }
  });

  it.each(['ed25519', 'rsa', 'ecdsa'])('of `ssh-keygen -t %s`, if it is installed', async (type) => {
    const directory = await mkdtemp(join(tmpdir(), 'key-'));
    try {
      const path = join(directory, 'key');
      const made = promisify(execFile)('ssh-keygen', ['-q', '-t', type, '-N', '', '-f', path]);
      const isInstalled = await made.then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
          return false;
        },
      );
      if (!isInstalled) return;
      expect(await findCertainSecrets(await readFile(path, 'utf8'))).toMatchObject([{ start: 0 }]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('unless most of it is left out', async () => {
    const text = frameKey('PRIVATE KEY', `${mixed.repeat(2)}...`);
    expect(await findCertainSecrets(text)).toEqual([]);
  });
});

it('of an address the password is judged, not the name of the user', async () => {
  const address = (user: string, password: string) => `postgres://${user}:${password}@db.prod.internal/x`;
  const [found] = await findCertainSecrets(address('sample_app', `${mixed}aB3`));
  expect(found).toMatchObject({ kind: 'password in an address' });
  expect(await findCertainSecrets(address('app', `${mixed}-example`))).toEqual([]);
});
