import assert from 'node:assert/strict';
import type { Account, LabelEvent } from '../model.ts';
import type { LabelEventReader } from '../ports.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import type { PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `LabelEventReader` needs. */
export interface LabelEventReaderFixture
  extends PortFixture<LabelEventReader, 'addLabels' | 'editThread' | 'passTime'> {
  /** Puts this label on the issue through the adapter, as the agent. */
  readonly addLabel: (name: string) => Promise<void>;
  readonly removeLabel: (name: string) => Promise<void>;
  readonly agent: () => Promise<Account>;
}

const ours = 'coding agent';

async function labeledBy(
  { open }: LabelEventReaderFixture,
  options: { readonly since?: string } = {},
): Promise<LabelEvent> {
  const event = await open().lastLabeled(ours, options);
  assert.ok(event !== null, 'a label that somebody put on the thread has to be found, but it was null');
  return event;
}

const loginsOf = (event: LabelEvent, part: string) =>
  event.editsSince.filter((edit) => edit.part === part).map(({ actor }) => actor?.login ?? null);

/** Every promise of a `LabelEventReader`, as functions that need no test runner. */
export const labelEventReaderCases: readonly ContractCase<LabelEventReaderFixture>[] = [
  {
    name: 'knows of no label that nobody put on the thread [NX-21]',
    run: async ({ open, key, people }) => {
      await people.addLabels(key, ['bug']);
      assert.equal(await open().lastLabeled(ours), null);
    },
  },
  {
    name: 'says who put a label on the thread last, and when [NX-21]',
    run: async (fixture) => {
      const { key, people } = fixture;
      await people.addLabels(key, ['bug', ours], 'alice');
      const event = await labeledBy(fixture);
      assert.equal(event.actor?.login, 'alice');
      assert.ok(event.actor.id !== '', 'the account has to have its id');
      assert.ok(!Number.isNaN(Date.parse(event.at)), `${event.at} has to be a time`);
      assert.deepEqual(event.editsSince, []);
    },
  },
  {
    name: 'knows a label of the agent itself for its own [NX-21]',
    run: async (fixture) => {
      await fixture.addLabel(ours);
      const event = await labeledBy(fixture);
      assert.equal(event.actor?.id, (await fixture.agent()).id);
    },
  },
  {
    name: 'lists who edited title and text since, and not what was edited before [NX-22]',
    run: async (fixture) => {
      const { key, people } = fixture;
      await people.editThread?.(key, { title: 'Before', body: 'Before', by: 'alice' });
      await people.passTime(5);
      await people.addLabels(key, [ours], 'alice');
      await people.passTime(5);
      assert.deepEqual((await labeledBy(fixture)).editsSince, []);
      await people.editThread?.(key, { body: 'After', by: 'alice' });
      const event = await labeledBy(fixture);
      assert.ok(loginsOf(event, 'body').includes('alice'), 'who edited the text has to be listed');
      assert.deepEqual(loginsOf(event, 'title'), []);
      await people.editThread?.(key, { title: 'After', by: 'alice' });
      assert.deepEqual(loginsOf(await labeledBy(fixture), 'title'), ['alice']);
    },
  },
  {
    name: 'lists everybody who edited the text, not only the last of them [NX-22]',
    run: async (fixture) => {
      const { key, people } = fixture;
      await people.addLabels(key, [ours], 'alice');
      await people.passTime(5);
      await people.editThread?.(key, { body: 'One', by: 'alice' });
      await people.passTime(5);
      await people.editThread?.(key, { body: 'Two', by: 'octo' });
      const logins = new Set(loginsOf(await labeledBy(fixture), 'body'));
      assert.deepEqual(logins, new Set(['alice', 'octo']));
    },
  },
  {
    name: 'lists what was edited since an earlier time where it is asked to [NX-22]',
    run: async (fixture) => {
      const { key, people } = fixture;
      await people.addLabels(key, [ours], 'alice');
      const { at: since } = await labeledBy(fixture);
      await people.passTime(5);
      await people.editThread?.(key, { body: 'Between', by: 'alice' });
      await people.passTime(5);
      await fixture.removeLabel(ours);
      await fixture.addLabel(ours);
      assert.deepEqual((await labeledBy(fixture)).editsSince, []);
      assert.ok(loginsOf(await labeledBy(fixture, { since }), 'body').includes('alice'));
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open }) => {
      await rejectsWithReason((signal) => open().lastLabeled(ours, { signal }));
    },
  },
];

/** The tests that every `LabelEventReader` passes. */
export function labelEventReaderContract(options: ContractOptions<LabelEventReaderFixture>): void {
  describeContract({ port: 'LabelEventReader', cases: labelEventReaderCases }, options);
}
