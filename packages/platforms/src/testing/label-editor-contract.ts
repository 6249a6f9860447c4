import assert from 'node:assert/strict';
import type { LabelEditor } from '../ports.ts';
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
