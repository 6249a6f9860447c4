import assert from 'node:assert/strict';
import type { Account, LabelEvent, ThreadEdit } from '../model.ts';
import type { ThreadHistory } from '../ports.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import type { PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `ThreadHistory` needs. */
export interface ThreadHistoryFixture
  extends PortFixture<
    ThreadHistory,
    'assign' | 'closeThread' | 'comment' | 'editThread' | 'passTime' | 'reopenThread'
  > {
  readonly agent: () => Promise<Account>;
}

async function assignmentOf({ open, agent }: ThreadHistoryFixture): Promise<LabelEvent> {
  const event = await open().lastAssigned(await agent());
  assert.ok(event !== null, 'an assignment that a person made has to be found, but it was null');
  return event;
}

const loginsOf = (edits: readonly ThreadEdit[], part: string) =>
  edits.filter((edit) => edit.part === part).map(({ actor }) => actor?.login ?? null);

/** Every promise of a `ThreadHistory`, as functions that need no test runner. */
export const threadHistoryCases: readonly ContractCase<ThreadHistoryFixture>[] = [
  {
    name: 'finds no assignment that was never made [NX-74]',
    run: async ({ open, agent, key, people }) => {
      await people.assign?.(key, 'alice');
      assert.equal(await open().lastAssigned(await agent()), null);
    },
  },
  {
    name: 'says who assigned the account last, and when [NX-74]',
    run: async (fixture) => {
      const { key, people, agent } = fixture;
      await people.assign?.(key, (await agent()).login, 'alice');
      const event = await assignmentOf(fixture);
      assert.equal(event.actor?.login, 'alice');
      assert.ok(event.actor.id !== '', 'the account has to have its id');
      assert.ok(!Number.isNaN(Date.parse(event.at)), `${event.at} has to be a time`);
      assert.deepEqual(event.editsSince, []);
    },
  },
  {
    name: 'lists who edited title and text since the assignment, and not what was edited before [NX-74]',
    run: async (fixture) => {
      const { key, people, agent } = fixture;
      await people.editThread?.(key, { title: 'Before', body: 'Before', by: 'alice' });
      await people.passTime(5);
      await people.assign?.(key, (await agent()).login, 'alice');
      await people.passTime(5);
      assert.deepEqual((await assignmentOf(fixture)).editsSince, []);
      await people.editThread?.(key, { title: 'After', body: 'After', by: 'octo' });
      const { editsSince } = await assignmentOf(fixture);
      assert.deepEqual(loginsOf(editsSince, 'title'), ['octo']);
      assert.ok(loginsOf(editsSince, 'body').includes('octo'), 'who edited the text has to be listed');
    },
  },
  {
    name: 'lists the edits since a time, and none from before it [NX-74]',
    run: async (fixture) => {
      const { key, people, agent, open } = fixture;
      await people.editThread?.(key, { title: 'Before', by: 'alice' });
      await people.passTime(5);
      await people.assign?.(key, (await agent()).login, 'alice');
      const { at: since } = await assignmentOf(fixture);
      assert.deepEqual(await open().listEdits({ since }), []);
      await people.passTime(5);
      await people.editThread?.(key, { title: 'After', by: 'octo' });
      assert.deepEqual(loginsOf(await open().listEdits({ since }), 'title'), ['octo']);
    },
  },
  {
    name: 'says who reopened the thread last, if it shows who reopens [RL-7]',
    run: async ({ open, key, people }) => {
      if (open().lastReopened === undefined || people.reopenThread === undefined) return;
      assert.equal(await open().lastReopened?.(), null);
      await people.closeThread(key);
      await people.reopenThread(key, 'alice');
      const event = await open().lastReopened?.();
      assert.equal(event?.actor?.login, 'alice');
      assert.ok(!Number.isNaN(Date.parse(event.at)), `${event.at} has to be a time`);
    },
  },
  {
    name: 'finds no edit of a comment that was never edited, if it shows who edits comments [NX-71]',
    run: async ({ open, key, people }) => {
      const id = await people.comment(key, { author: 'alice', body: 'As it was written.' });
      assert.equal((await open().lastCommentEdit?.(id)) ?? null, null);
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open, agent }) => {
      const own = await agent();
      await rejectsWithReason((signal) => open().lastAssigned(own, { signal }));
      await rejectsWithReason((signal) => open().listEdits({ since: '2026-01-01T00:00:00Z', signal }));
    },
  },
];

/** The tests that every `ThreadHistory` passes. */
export function threadHistoryContract(options: ContractOptions<ThreadHistoryFixture>): void {
  describeContract({ port: 'ThreadHistory', cases: threadHistoryCases }, options);
}
