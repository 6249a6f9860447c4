import assert from 'node:assert/strict';
import type { Account } from '../model.ts';
import type { AssigneeEditor } from '../ports.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import type { PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `AssigneeEditor` needs. */
export interface AssigneeEditorFixture extends PortFixture<AssigneeEditor, 'assign'> {
  readonly agent: () => Promise<Account>;
  /** Logins of those whom the issue shows as assigned. */
  readonly assignees: () => Promise<readonly string[]>;
}

/** Every promise of an `AssigneeEditor`, as functions that need no test runner. */
export const assigneeEditorCases: readonly ContractCase<AssigneeEditorFixture>[] = [
  {
    name: 'assigns an account, and one that is assigned without complaint [NX-74]',
    run: async ({ open, agent, assignees }) => {
      const own = await agent();
      await open().assign(own);
      await open().assign(own);
      assert.deepEqual(await assignees(), [own.login]);
    },
  },
  {
    name: 'takes an account off, and one that is not assigned without complaint [NX-74]',
    run: async ({ open, agent, assignees }) => {
      const own = await agent();
      await open().assign(own);
      await open().unassign(own);
      await open().unassign(own);
      assert.deepEqual(await assignees(), []);
    },
  },
  {
    name: 'takes nobody else off [NX-74]',
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
