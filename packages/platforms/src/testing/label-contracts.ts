import assert from 'node:assert/strict';
import type { Account, LabelEvent } from '../model.ts';
import type { LabelEditor, LabelEventReader } from '../ports.ts';
import { type ContractCase, type ContractOptions, describeContract, rejectsWithReason } from './contract.ts';
import type { PortFixture } from './contract-fixture.ts';

/** Fixture that the suite of `LabelEditor` needs. */
export type LabelEditorFixture = PortFixture<LabelEditor, 'addLabels' | 'labelsOn'>;

const ours = 'coding agent processing';

/** Every promise of a `LabelEditor`, as functions that need no test runner. */
export const labelEditorCases: readonly ContractCase<LabelEditorFixture>[] = [
  {
    name: 'adds a label that the repository does not have yet [RL-1]',
    run: async ({ open, key, people }) => {
      await open().addLabel(ours);
      assert.deepEqual(await people.labelsOn(key), [ours]);
    },
  },
  {
    name: 'adds a label with letters of every kind',
    run: async ({ open, key, people }) => {
      await open().addLabel('作業中 🚧 / a+b');
      assert.deepEqual(await people.labelsOn(key), ['作業中 🚧 / a+b']);
      await open().removeLabel('作業中 🚧 / a+b');
      assert.deepEqual(await people.labelsOn(key), []);
    },
  },
  {
    name: 'adds a label that is there already without complaint',
    run: async ({ open, key, people }) => {
      await open().addLabel(ours);
      await open().addLabel(ours);
      assert.deepEqual(await people.labelsOn(key), [ours]);
    },
  },
  {
    name: "leaves other people's labels as they are [RL-1]",
    run: async ({ open, key, people }) => {
      const labels = open();
      await people.addLabels(key, ['bug', 'coding agent']);
      await labels.addLabel(ours);
      await people.addLabels(key, ['urgent']);
      await labels.removeLabel('coding agent');
      assert.deepEqual([...(await people.labelsOn(key))].sort(), ['bug', ours, 'urgent']);
    },
  },
  {
    name: 'removes a label that is not there without complaint [RL-1]',
    run: async ({ open, key, people }) => {
      await people.addLabels(key, ['bug']);
      await open().removeLabel(ours);
      assert.deepEqual(await people.labelsOn(key), ['bug']);
    },
  },
  {
    name: 'says that a label which cannot be created is invalid, and changes nothing [RL-1]',
    run: async ({ open, key, people }) => {
      await assert.rejects(
        Promise.resolve().then(() => open().addLabel('x'.repeat(300))),
        (error) => {
          const { code, message } = error as { code?: unknown; message: string };
          const given = `it rejected with "${message}" (code: ${code})`;
          assert.equal(code, 'invalid', `a label of 300 letters has to be \`invalid\`, but ${given}`);
          assert.match(message, /label/u, `the message has to say "label", but ${given}`);
          return true;
        },
        'a label of 300 letters has to be refused, but it was not',
      );
      assert.deepEqual(await people.labelsOn(key), []);
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open }) => {
      await rejectsWithReason((signal) => open().addLabel(ours, { signal }));
      await rejectsWithReason((signal) => open().removeLabel(ours, { signal }));
    },
  },
];

/** The tests that every `LabelEditor` passes. */
export function labelEditorContract(options: ContractOptions<LabelEditorFixture>): void {
  describeContract({ port: 'LabelEditor', cases: labelEditorCases }, options);
}

/** Fixture that the suite of `LabelEventReader` needs. */
export interface LabelEventReaderFixture
  extends PortFixture<LabelEventReader, 'addLabels' | 'editThread' | 'passTime'> {
  /** Puts this label on the issue through the adapter, as the agent. */
  readonly addLabel: (name: string) => Promise<void>;
  readonly removeLabel: (name: string) => Promise<void>;
  readonly agent: () => Promise<Account>;
}

const agentLabel = 'coding agent';

async function labeledBy(
  { open }: LabelEventReaderFixture,
  options: { readonly since?: string } = {},
): Promise<LabelEvent> {
  const event = await open().lastLabeled(agentLabel, options);
  assert.ok(event !== null, 'a label that a person added to the thread has to be found, but it was null');
  return event;
}

const loginsOf = (event: LabelEvent, part: string) =>
  event.editsSince.filter((edit) => edit.part === part).map(({ actor }) => actor?.login ?? null);

/** Every promise of a `LabelEventReader`, as functions that need no test runner. */
export const labelEventReaderCases: readonly ContractCase<LabelEventReaderFixture>[] = [
  {
    name: 'finds no label that was never added to the thread [NX-21]',
    run: async ({ open, key, people }) => {
      await people.addLabels(key, ['bug']);
      assert.equal(await open().lastLabeled(agentLabel), null);
    },
  },
  {
    name: 'says who put a label on the thread last, and when [NX-21]',
    run: async (fixture) => {
      const { key, people } = fixture;
      await people.addLabels(key, ['bug', agentLabel], 'alice');
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
      await fixture.addLabel(agentLabel);
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
      await people.addLabels(key, [agentLabel], 'alice');
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
    name: 'lists every editor of the text, not only the last one [NX-22]',
    run: async (fixture) => {
      const { key, people } = fixture;
      await people.addLabels(key, [agentLabel], 'alice');
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
      await people.addLabels(key, [agentLabel], 'alice');
      const { at: since } = await labeledBy(fixture);
      await people.passTime(5);
      await people.editThread?.(key, { body: 'Between', by: 'alice' });
      await people.passTime(5);
      await fixture.removeLabel(agentLabel);
      await fixture.addLabel(agentLabel);
      assert.deepEqual((await labeledBy(fixture)).editsSince, []);
      assert.ok(loginsOf(await labeledBy(fixture, { since }), 'body').includes('alice'));
    },
  },
  {
    name: "ends with the signal's reason",
    run: async ({ open }) => {
      await rejectsWithReason((signal) => open().lastLabeled(agentLabel, { signal }));
    },
  },
];

/** The tests that every `LabelEventReader` passes. */
export function labelEventReaderContract(options: ContractOptions<LabelEventReaderFixture>): void {
  describeContract({ port: 'LabelEventReader', cases: labelEventReaderCases }, options);
}
