import assert from 'node:assert/strict';
import type { Platform } from '../platform.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';

/** Fixture that the suite of `gitCredential` needs. */
export interface GitCredentialFixture {
  readonly gitCredential: NonNullable<Platform['gitCredential']>;
  /** Address of a repository that needs a login, as `repository.describe` gives it. */
  readonly cloneUrl: string;
  /** Tries to read the repository with this login, as git does. */
  readonly canRead: (login: { readonly username: string; readonly password: string }) => Promise<boolean>;
}

/** Every promise of `gitCredential`, as functions that need no test runner. */
export const gitCredentialCases: readonly ContractCase<GitCredentialFixture>[] = [
  {
    name: 'gives a login that the server of the repository accepts',
    run: async ({ gitCredential, cloneUrl, canRead }) => {
      const { username, password } = new URL(cloneUrl);
      assert.deepEqual({ username, password }, { username: '', password: '' });
      const login = await gitCredential({ cloneUrl });
      assert.ok(login !== null, 'there is no login');
      for (const part of [login.username, login.password]) assert.match(part, /^[^\0\r\n]+$/u);
      assert.ok(await canRead(login), 'the server refuses the login');
    },
  },
  {
    name: 'gives no login to another server, whose address only looks alike',
    run: async ({ gitCredential, cloneUrl }) => {
      const { host, hostname, pathname } = new URL(cloneUrl);
      const others = [
        `https://git.example.invalid${pathname}`,
        `https://${hostname}.example.invalid${pathname}`,
        `https://git.example.invalid/${host}${pathname}`,
      ];
      for (const other of others) assert.equal(await gitCredential({ cloneUrl: other }), null, other);
    },
  },
  {
    name: 'answers a refused password with a login or null, and no error',
    run: async ({ gitCredential, cloneUrl }) => {
      const login = await gitCredential({ cloneUrl }, { refused: 'a password that was revoked' });
      assert.ok(login === null || login.password !== '');
    },
  },
  {
    name: "ends with the signal's reason",
    run: ({ gitCredential, cloneUrl }) =>
      rejectsWithReason((signal) => gitCredential({ cloneUrl }, { signal })),
  },
];

/** The tests that every `gitCredential` passes. */
export function gitCredentialContract(options: ContractOptions<GitCredentialFixture>): void {
  describeContract({ port: 'gitCredential', cases: gitCredentialCases }, options);
}
