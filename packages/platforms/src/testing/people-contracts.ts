import assert from 'node:assert/strict';
import type { Account } from '../model.ts';
import type { AssigneeEditor, Identity, PermissionReader } from '../ports.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import { contractWorld, type PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `Identity` needs. */
export type IdentityFixture = PortFixture<Identity, never>;

/** Every promise of an `Identity`, as functions that need no test runner. */
export const identityCases: readonly ContractCase<IdentityFixture>[] = [
  {
    name: 'says who we are, with an id that stays the same [X2]',
    run: async ({ open }) => {
      const account = await open().whoAmI();
      assert.equal(account.login, contractWorld.agent);
      assert.match(account.id, /^\S+$/u);
      assert.deepEqual(await open().whoAmI(), account);
    },
  },
  {
    name: "ends with the signal's reason",
    run: ({ open }) => rejectsWithReason((signal) => open().whoAmI({ signal })),
  },
];

/** The tests that every `Identity` passes. */
export function identityContract(options: ContractOptions<IdentityFixture>): void {
  describeContract({ port: 'Identity', cases: identityCases }, options);
}

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
    name: 'goes by the id: a login that passed to another account takes no rights along [X11]',
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

/** Fixture that the suite of `AssigneeEditor` needs. */
export interface AssigneeEditorFixture extends PortFixture<AssigneeEditor, 'assign'> {
  readonly agent: () => Promise<Account>;
  /** Logins of those whom the issue shows as assigned. */
  readonly assignees: () => Promise<readonly string[]>;
}

/** Every promise of an `AssigneeEditor`, as functions that need no test runner. */
export const assigneeEditorCases: readonly ContractCase<AssigneeEditorFixture>[] = [
  {
    name: 'assigns an account, also if it is already assigned [NX-74]',
    run: async ({ open, agent, assignees }) => {
      const own = await agent();
      await open().assign(own);
      await open().assign(own);
      assert.deepEqual(await assignees(), [own.login]);
    },
  },
  {
    name: 'unassigns an account, also if it is not assigned [NX-74]',
    run: async ({ open, agent, assignees }) => {
      const own = await agent();
      await open().assign(own);
      await open().unassign(own);
      await open().unassign(own);
      assert.deepEqual(await assignees(), []);
    },
  },
  {
    name: 'unassigns no other account [NX-74]',
    run: async ({ open, key, people, agent, assignees }) => {
      await people.assign?.(key, 'alice');
      await open().unassign(await agent());
      assert.deepEqual(await assignees(), ['alice']);
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open, agent }) => {
      const own = await agent();
      await rejectsWithReason((signal) => open().assign(own, { signal }));
      await rejectsWithReason((signal) => open().unassign(own, { signal }));
    },
  },
];

/** The tests that every `AssigneeEditor` passes. */
export function assigneeEditorContract(options: ContractOptions<AssigneeEditorFixture>): void {
  describeContract({ port: 'AssigneeEditor', cases: assigneeEditorCases }, options);
}
