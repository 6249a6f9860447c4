import { createMemoryPlatform } from '@agent/platforms/memory';
import { describe, expect, it } from 'vitest';
import { createLabelTrigger } from '../triggers/label-trigger.ts';
import { type HandedOverRun, requireAsGiven } from './handover.ts';

const label = 'coding agent';
const labels = {
  waiting: 'coding agent',
  processing: 'p',
  completed: 'c',
  failed: 'f',
  paused: 'z',
  stopped: 's',
};

async function setUp() {
  const clock = { ms: Date.parse('2026-03-01T10:00:00Z') };
  const memory = createMemoryPlatform({
    now: () => new Date(clock.ms),
    repositories: [{ path: 'octo/hello', files: {}, access: { alice: 'write', bob: 'read' } }],
  });
  const key = memory.people.openIssue({ author: 'bob', title: 'T', body: 'B' });
  memory.people.setLabels(key, [label], { by: 'alice' });
  const at = new Date(clock.ms).toISOString();
  clock.ms += 5_000;
  const by = await memory.accounts?.findAccount('alice');
  const policy = { everyone: false, collaborators: true, isNamed: () => false };
  const ports = memory.openThread(key);
  const given = { by, at, head: null, commentId: null };
  const check = ({ labelEvents = ports.labelEvents, handover = given as typeof given | null } = {}) => {
    const run = {
      facts: { handover, locale: 'en' },
      thread: {
        ports: { ...ports, labelEvents },
        platform: { platform: memory, trust: policy, trigger: createLabelTrigger(memory, labels) },
      },
    } as unknown as HandedOverRun;
    return requireAsGiven(run, { now: () => clock.ms });
  };
  return { check, edit: () => memory.people.editThread(key, { body: 'Swapped', by: 'bob' }) };
}

describe('a thread that is read again', () => {
  it('must be as it was handed over [NX-22]', async () => {
    const { check, edit } = await setUp();
    await check();
    edit();
    await expect(check()).rejects.toThrow('`bob` changed the description after the label');
  });

  it('has nothing to be compared with where nobody knows who handed it over, or the platform does not say [NX-21]', async () => {
    const { check, edit } = await setUp();
    edit();
    await check({ handover: null });
    await check({ labelEvents: null });
  });

  it('is refused where the events do not show the label any more, so that nobody knows what changed [NX-22]', async () => {
    const { check } = await setUp();
    await expect(check({ labelEvents: { lastLabeled: async () => null } })).rejects.toThrow(
      "couldn't find out who added the label",
    );
  });
});
