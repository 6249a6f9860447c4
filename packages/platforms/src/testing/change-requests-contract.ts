import assert from 'node:assert/strict';
import type { Account } from '../model.ts';
import type { ChangeRequests } from '../ports.ts';
import type { TaskKey } from '../task-key.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';
import type { PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `ChangeRequests` needs. */
export interface ChangeRequestsFixture
  extends PortFixture<ChangeRequests, 'pushBranch' | 'closeThread' | 'reviewersOf'> {
  /** Account that opened the issue of the fixture. */
  readonly reporter: () => Promise<Account>;
  /** The key of the change request with this number. */
  readonly keyOfChangeRequest: (number: number) => TaskKey;
}

const headBranch = 'agent/issue-1-keep-it';
const joinBody = (_current: string | null, body: string) => body;
const draft = { headBranch, baseBranch: 'main', title: 'Keep it', body: 'Closes #1', joinBody };

/** Every promise of a `ChangeRequests`, as functions that need no test runner. */
export const changeRequestsCases: readonly ContractCase<ChangeRequestsFixture>[] = [
  {
    name: 'lists branches by prefix, sorted by name [X15]',
    run: async ({ open, people }) => {
      for (const name of ['agent/issue-1-b', 'agent/issue-1-a', 'agent/issue-12-c', 'other']) {
        await people.pushBranch(name);
      }
      const branches = await open().listBranches({ prefix: 'agent/issue-1-' });
      assert.deepEqual(
        branches.map(({ name }) => name),
        ['agent/issue-1-a', 'agent/issue-1-b'],
      );
      assert.ok(
        branches.every(({ sha }) => /^[0-9a-f]{40,64}$/u.test(sha)),
        'a branch names no commit',
      );
      assert.deepEqual(await open().listBranches({ prefix: 'nothing/' }), []);
    },
  },
  {
    name: 'finds nothing where no change request was made from a branch',
    run: async ({ open, people }) => {
      await people.pushBranch(headBranch);
      assert.equal(await open().findChangeRequest({ headBranch }), null);
    },
  },
  {
    name: 'requests a review once, however often it is asked to, if it requests reviews [NX-220]',
    run: async ({ open, people, reporter }) => {
      if (open().requestReview === undefined || people.reviewersOf === undefined) return;
      await people.pushBranch(headBranch);
      const { number } = await open().ensureDraft(draft);
      const account = await reporter();
      await open().requestReview?.({ number, account });
      await open().requestReview?.({ number, account });
      assert.deepEqual(await people.reviewersOf(number), [account.login]);
    },
  },
  {
    name: 'opens a draft',
    run: async ({ open, people }) => {
      await people.pushBranch(headBranch);
      const opened = await open().ensureDraft(draft);
      const { title, state, baseBranch } = opened;
      assert.deepEqual({ title, state, baseBranch }, { title: 'Keep it', state: 'open', baseBranch: 'main' });
      assert.deepEqual({ draft: opened.draft, headBranch: opened.headBranch }, { draft: true, headBranch });
      // A platform finds out after a while, or when it is asked, whether a branch conflicts with its base.
      const found = await open().findChangeRequest({ headBranch });
      assert.deepEqual({ ...found, conflicts: null }, { ...opened, conflicts: null });
    },
  },
  {
    name: 'opens one draft however often it is asked, and leaves its title to people [X15, NX-30]',
    run: async ({ open, people }) => {
      await people.pushBranch(headBranch);
      const first = await open().ensureDraft(draft);
      const again = await open().ensureDraft({ ...draft, title: 'Keep it for good' });
      assert.equal(again.number, first.number);
      assert.equal(again.title, 'Keep it');
      assert.equal((await open().findChangeRequest({ headBranch }))?.title, 'Keep it');
    },
  },
  {
    name: 'joins the body of an open one to what stands there [NX-30]',
    run: async ({ open, people }) => {
      await people.pushBranch(headBranch);
      const seen: (string | null)[] = [];
      const append = (current: string | null, body: string) => {
        seen.push(current);
        return current?.includes(body)
          ? current
          : [...(current === null ? [] : [current]), body].join('\n\n');
      };
      for (const body of ['one', 'two', 'three']) {
        await open().ensureDraft({ ...draft, body, joinBody: append });
      }
      assert.equal(seen[0], null, 'the first body is joined to nothing');
      assert.equal(seen.at(-1)?.replaceAll('\r', '').trim(), 'one\n\ntwo');
    },
  },
  {
    name: 'shows a closed change request, and opens a new one beside it [X15]',
    run: async ({ open, people, keyOfChangeRequest }) => {
      await people.pushBranch(headBranch);
      const first = await open().ensureDraft(draft);
      await people.closeThread(keyOfChangeRequest(first.number));
      assert.equal((await open().findChangeRequest({ headBranch }))?.state, 'closed');
      const second = await open().ensureDraft(draft);
      assert.notEqual(second.number, first.number);
      assert.equal((await open().findChangeRequest({ headBranch }))?.number, second.number);
    },
  },
  {
    name: 'tells which open change requests go into a branch, and nothing of a branch that does not exist',
    run: async ({ open, people, keyOfChangeRequest }) => {
      await people.pushBranch(headBranch);
      const { describeBranch } = open();
      if (describeBranch === undefined) return;
      assert.deepEqual(await describeBranch({ branch: 'nothing' }), { protected: false, baseOf: [] });
      assert.deepEqual(await describeBranch({ branch: headBranch }), { protected: false, baseOf: [] });
      const { number } = await open().ensureDraft(draft);
      assert.deepEqual((await describeBranch({ branch: 'main' })).baseOf, [number]);
      await people.closeThread(keyOfChangeRequest(number));
      assert.deepEqual((await describeBranch({ branch: 'main' })).baseOf, []);
    },
  },
  {
    name: 'refuses a draft from a branch that was not pushed',
    run: ({ open }) => rejectsWithCode(open().ensureDraft(draft), 'invalid'),
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open }) => {
      await rejectsWithReason((signal) => open().listBranches({ prefix: 'agent/', signal }));
      await rejectsWithReason((signal) => open().findChangeRequest({ headBranch, signal }));
      await rejectsWithReason((signal) => open().ensureDraft({ ...draft, signal }));
    },
  },
];

/** The tests that every `ChangeRequests` passes. */
export function changeRequestsContract(options: ContractOptions<ChangeRequestsFixture>): void {
  describeContract({ port: 'ChangeRequests', cases: changeRequestsCases }, options);
}
