import assert from 'node:assert/strict';
import { formatTaskKey } from '@agent/platforms';
import { type ContractCase, type ContractOptions, runContractCase } from '@agent/platforms/testing';
import { describe, it } from 'vitest';
import type { TaskState, TaskThread, TaskTrigger } from '../triggers/task-trigger.ts';

/** Things that the suite of `TaskTrigger` needs: one open thread that nobody gave to the agent yet. */
export interface TaskTriggerFixture {
  /** Opens the trigger, as a process does that starts. */
  readonly open: () => TaskTrigger;
  readonly ports: TaskThread;
  /** Gives the thread to the agent, as somebody who may. */
  readonly give: () => Promise<void>;
  /** Lets time pass on the platform, a minute or more. Default nothing. */
  readonly passTime?: (() => void) | undefined;
}

const ended: readonly TaskState[] = ['completed', 'partial', 'failed', 'stopped'];

async function isListed(trigger: TaskTrigger, { ports }: TaskTriggerFixture): Promise<boolean> {
  const { tasks } = await trigger.listWaiting();
  return tasks.some(({ key }) => formatTaskKey(key) === formatTaskKey(ports.key));
}

const claim = async (trigger: TaskTrigger, { ports }: TaskTriggerFixture) =>
  trigger.claim({ ports, thread: await ports.reader.readThread() });

/** Opens a trigger that has polled, and gives the thread. */
async function openGiven(fixture: TaskTriggerFixture): Promise<TaskTrigger> {
  const trigger = fixture.open();
  await trigger.listWaiting();
  await giveAgain(fixture);
  return trigger;
}

async function giveAgain({ give, passTime = () => {} }: TaskTriggerFixture): Promise<void> {
  passTime();
  await give();
  passTime();
}

/** Takes the thread through a run. */
async function endRun(trigger: TaskTrigger, fixture: TaskTriggerFixture, state: TaskState): Promise<void> {
  assert.equal(await claim(trigger, fixture), 'ours', 'a thread that waits has to be claimed');
  await trigger.setState(fixture.ports, { state: 'processing' });
  fixture.passTime?.();
  await trigger.setState(fixture.ports, { state });
}

async function waitsNoMore(trigger: TaskTrigger, fixture: TaskTriggerFixture, why: string): Promise<void> {
  assert.equal(await isListed(trigger, fixture), false, `${why} and is still listed`);
  assert.equal(await claim(trigger, fixture), 'theirs', `${why} and is claimed a second time`);
}

/** Every promise of a `TaskTrigger`, as functions that need no test runner. */
export const taskTriggerCases: readonly ContractCase<TaskTriggerFixture>[] = [
  {
    name: 'neither lists nor claims a thread that nobody gave to the agent [NX-77]',
    run: async (fixture) => waitsNoMore(fixture.open(), fixture, 'nobody gave the thread to the agent,'),
  },
  {
    name: 'lists a thread that was given until a run begins, whoever asks how often [NX-77]',
    run: async (fixture) => {
      const trigger = await openGiven(fixture);
      for (const time of ['first', 'second'])
        assert.ok(await isListed(trigger, fixture), `a thread that waits is not listed at the ${time} poll`);
      assert.equal(await claim(trigger, fixture), 'ours');
      assert.ok(await isListed(trigger, fixture), 'a thread was claimed, and is lost before its run began');
      assert.ok(await isListed(fixture.open(), fixture), 'a thread that waits is lost with the process');
      assert.ok(
        await trigger.signs.shows({ ...fixture, thread: await fixture.ports.reader.readThread() }, [
          'waiting',
        ]),
      );
    },
  },
  ...ended.map(
    (state): ContractCase<TaskTriggerFixture> => ({
      name: `begins one run for a thread that was given once and ${state}, after a restart too [NX-77]`,
      run: async (fixture) => {
        const trigger = await openGiven(fixture);
        await endRun(trigger, fixture, state);
        await waitsNoMore(trigger, fixture, `the thread ${state}`);
        await trigger.setState(fixture.ports, { state });
        await waitsNoMore(fixture.open(), fixture, `the thread ${state}, the process began anew`);
      },
    }),
  ),
  {
    name: 'begins another run for a thread that is given again [NX-77]',
    run: async (fixture) => {
      const trigger = await openGiven(fixture);
      await endRun(trigger, fixture, 'completed');
      await giveAgain(fixture);
      assert.ok(await isListed(trigger, fixture), 'a thread that was given again is not listed');
      assert.equal(await claim(trigger, fixture), 'ours');
    },
  },
  {
    name: 'gives a thread back to people until they give it again [NX-77]',
    run: async (fixture) => {
      const trigger = await openGiven(fixture);
      assert.equal(await claim(trigger, fixture), 'ours');
      await trigger.release(fixture.ports);
      await trigger.release(fixture.ports);
      await waitsNoMore(trigger, fixture, 'the thread was released');
      await waitsNoMore(fixture.open(), fixture, 'the thread was released, the process began anew');
      await giveAgain(fixture);
      assert.ok(await isListed(trigger, fixture), 'a thread that was given after its release is not listed');
    },
  },
  {
    name: 'makes a thread wait again where the agent gives it back to itself [NX-77]',
    run: async (fixture) => {
      const trigger = await openGiven(fixture);
      if (!trigger.signs.canReturn(fixture.ports)) return;
      await endRun(trigger, fixture, 'completed');
      await trigger.setState(fixture.ports, { state: 'waiting' });
      assert.ok(await isListed(trigger, fixture), 'a thread that is to wait again is not listed');
      assert.equal(await claim(fixture.open(), fixture), 'ours');
    },
  },
  {
    name: 'says who gave a thread, where the platform knows it [NX-77]',
    run: async (fixture) => {
      const trigger = await openGiven(fixture);
      await claim(trigger, fixture);
      const given = await trigger.signs.listHandovers(fixture.ports, { since: null });
      if (given === 'unknown') return;
      assert.ok(given.length > 0, 'nobody is said to have given a thread that was given');
      for (const { at } of given) assert.ok(!Number.isNaN(Date.parse(at)), `${at} has to be a time`);
      const times = given.map(({ at }) => Date.parse(at));
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
        'the last has to come first',
      );
    },
  },
  {
    name: 'speaks of itself in every language [NX-77]',
    run: async ({ open }) => {
      for (const { retry, beginAgain, notGiven, giveAgain: again } of Object.values(open().texts))
        for (const text of [retry, beginAgain(false), notGiven(null), again('alice')])
          assert.notEqual(text.trim(), '', 'a text is empty');
    },
  },
];

/** The tests that every `TaskTrigger` passes. */
export function taskTriggerContract({ name, create }: ContractOptions<TaskTriggerFixture>): void {
  describe(`${name} as a TaskTrigger`, () => {
    for (const one of taskTriggerCases) it(one.name, () => runContractCase(one, create));
  });
}
