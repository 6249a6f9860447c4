import { describe, expect, it, onTestFinished } from 'vitest';
import { createRequestBudget } from '../src/sources/request-budget.ts';
import { createMemorySharedUse } from '../src/sources/shared-use.ts';
import { createSimulatorFixture } from './fixtures/simulator-fixture.ts';

const second = 1_000;
const requestsEach = 10;

/** Three processes with one token, each of which would poll ten times a second. */
async function startProcesses() {
  const world = await createSimulatorFixture();
  onTestFinished(world.close);
  const clock = { time: Date.parse('2026-01-02T03:04:05Z') };
  const now = () => clock.time;
  const sleepers: (() => void)[] = [];
  const sleep = () => new Promise<void>((wake) => void sleepers.push(wake));
  const shared = createMemorySharedUse({ now });
  const processes = Array.from({ length: 3 }, () => {
    const budget = createRequestBudget({ now, sleep, shared: shared.join(), credentialKey: 'token' });
    const statuses: (number | null)[] = [];
    const platform = world.connect({
      onRequest: (record) => {
        statuses.push(record.status);
        budget.record(record);
      },
    });
    return { poller: budget.open(), statuses, platform };
  });
  const pollForASecond = async () => {
    for (const { poller, platform } of processes) {
      for (let made = 0; made < requestsEach; made += 1) {
        await poller.refresh();
        if (!poller.admit({ isNeeded: false })) break;
        // Opened anew it knows no ETag, so that each poll counts.
        await platform.openThread(world.key).comments.listComments({ since: null, fresh: true });
      }
    }
    clock.time += second;
    await world.people.passTime(1);
    for (const wake of sleepers.splice(0)) wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const answers = () => processes.flatMap(({ statuses }) => statuses);
  return { world, pollForASecond, answers };
}

describe('three processes with one token', () => {
  it('take the polls of one in a minute, and none is refused [NX-155]', async () => {
    const { pollForASecond, answers } = await startProcesses();
    for (let passed = 0; passed < 59; passed += 1) await pollForASecond();
    // Half of the 900 points of a minute are for polls; what the others use is known two seconds later.
    expect(answers().length).toBeGreaterThanOrEqual(450);
    expect(answers().length).toBeLessThanOrEqual(450 + 2 * 2 * requestsEach);
    expect(answers()).not.toContain(403);
  });

  it('leave the part of the hour that is kept for writes, though each would spend it [NX-155]', async () => {
    const { world, pollForASecond, answers } = await startProcesses();
    world.simulator.setRateLimit({ limit: 5_000, remaining: 1_100 });
    for (let passed = 0; passed < 30; passed += 1) await pollForASecond();
    const counted = answers().filter((status) => status === 200).length;
    expect(counted).toBeGreaterThanOrEqual(100);
    expect(counted).toBeLessThanOrEqual(100 + 2 * 2 * requestsEach);
    expect(answers()).not.toContain(403);
  });
});
