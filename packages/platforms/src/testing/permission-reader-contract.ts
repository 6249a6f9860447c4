import assert from 'node:assert/strict';
import type { Account } from '../model.ts';
import type { PermissionReader } from '../ports.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import { contractWorld, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `PermissionReader` needs. */
export interface PermissionReaderFixture extends PortFixture<PermissionReader, never> {
  /** The account of a login of the contract world, as the platform shows it. */
  readonly accountOf: (login: string) => Promise<Account>;
}

/** Every promise of a `PermissionReader`, as functions that need no test runner. */
export const permissionReaderCases: readonly ContractCase<PermissionReaderFixture>[] = [
  {
    name: 'knows owner, writer and reader apart [X11]',
    run: async ({ open, accountOf }) => {
      const access = async (login: string) => open().accessOf(await accountOf(login));
      assert.equal(await access(contractWorld.owner), 'admin');
      assert.equal(await access('alice'), 'write');
      assert.equal(await access('bob'), 'read');
    },
  },
  {
    name: 'gives an account that the platform does not know nothing at all [X11]',
    run: async ({ open }) => {
      const nobody: Account = { id: '987654321', login: 'nobody-of-that-name', kind: 'person' };
      assert.equal(await open().accessOf(nobody), 'none');
    },
  },
  {
    name: 'goes by the id: a login that passed to somebody else takes no rights along [X11]',
    run: async ({ open, accountOf }) => {
      const alice = await accountOf('alice');
      assert.equal(await open().accessOf({ ...alice, id: '987654321' }), 'none');
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open, accountOf }) => {
      const alice = await accountOf('alice');
      await rejectsWithReason((signal) => open().accessOf(alice, { signal }));
    },
  },
];

/** The tests that every `PermissionReader` passes. */
export function permissionReaderContract(options: ContractOptions<PermissionReaderFixture>): void {
  describeContract({ port: 'PermissionReader', cases: permissionReaderCases }, options);
}
