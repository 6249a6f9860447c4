import assert from 'node:assert/strict';
import type { Check, ReviewPorts } from '../review-ports.ts';
import {
  assertTime,
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithReason,
} from './contract.ts';
import type { ReviewFixture } from './review-threads-contract.ts';

const attemptsOf = async ({ checks }: ReviewPorts): Promise<readonly Check[]> =>
  checks.list({ head: await checks.readHead() });

/** Every promise of `Checks`, as functions that need no test runner. */
export const checksCases: readonly ContractCase<ReviewFixture>[] = [
  {
    name: 'lists a check of the head with its name, its conclusion and its times, and nothing of another head',
    run: async ({ open, people }) => {
      const { checks } = open();
      const head = await checks.readHead();
      assert.match(head, /^[0-9a-f]{40,64}$/u);
      assert.deepEqual(await checks.list({ head }), []);
      await people.check({ name: 'build', conclusion: 'failure', log: 'no such file' });
      const [check, ...others] = await checks.list({ head });
      assert.deepEqual(others, []);
      const { name, conclusion, attempt, startedAt, endedAt } = present(check, 'the check that has failed');
      assert.deepEqual(
        { name, conclusion, attempt, head: check?.head },
        { name: 'build', conclusion: 'failure', attempt: 1, head },
      );
      assertTime(startedAt);
      assertTime(endedAt);
      await people.changeLines();
      assert.notEqual(await checks.readHead(), head);
      assert.deepEqual(await attemptsOf(open()), []);
      assert.equal((await checks.list({ head })).length, 1);
    },
  },
  {
    name: 'lists every attempt of a check, earlier ones first',
    run: async ({ open, people }) => {
      await people.check({ name: 'build', conclusion: 'failure', log: 'once' });
      await people.passTime(10);
      await people.check({ name: 'build', conclusion: 'success', log: 'twice' });
      assert.deepEqual(
        (await attemptsOf(open())).map(({ conclusion, attempt }) => [conclusion, attempt]),
        [
          ['failure', 1],
          ['success', 2],
        ],
      );
    },
  },
  {
    name: 'reads the end of a log, however long it is',
    run: async ({ open, people }) => {
      const lines = Array.from({ length: 3_000 }, (_, at) => `line ${at} of the log`);
      await people.check({
        name: 'build',
        conclusion: 'failure',
        log: [...lines, 'the last line'].join('\n'),
      });
      const ports = open();
      const check = present((await attemptsOf(ports))[0], 'the check that has failed');
      const log = present(await ports.checks.readLog(check), 'its log');
      assert.ok(
        log.trimEnd().endsWith('the last line'),
        `the log ends with ${JSON.stringify(log.slice(-60))}`,
      );
      assert.ok(log.length <= 20_000, `the log has ${log.length} characters`);
      assert.ok(!log.includes('line 0 of the log'));
    },
  },
  {
    name: 'has no log for a check that is not there',
    run: async ({ open }) => {
      assert.equal(await open().checks.readLog({ id: 'job-999999' }), null);
    },
  },
  {
    name: "ends each call with the signal's reason",
    run: async ({ open }) => {
      const { checks } = open();
      await rejectsWithReason((signal) => checks.readHead({ signal }));
      await rejectsWithReason((signal) => checks.list({ head: 'a'.repeat(40), signal }));
      await rejectsWithReason((signal) => checks.readLog({ id: 'job-1' }, { signal }));
      await rejectsWithReason((signal) => checks.rerun({ id: 'job-1' }, { signal }));
    },
  },
];

/** The tests that every `Checks` passes. */
export function checksContract(options: ContractOptions<ReviewFixture>): void {
  describeContract({ port: 'Checks', cases: checksCases }, options);
}
