import assert from 'node:assert/strict';
import type { Identity } from '../ports.ts';
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
