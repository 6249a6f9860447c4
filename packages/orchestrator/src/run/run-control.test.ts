import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformError, type Thread } from '@agent/platforms';
import { createMemoryPlatform } from '@agent/platforms/memory';
import { createFilePauseSignal, createFileRunControls } from '@agent/run-store/file';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pauseResumeSchema, taskStopSchema } from '../config/run-settings.ts';
import { OtherRepositoryError } from './run.ts';
import { ClaimLostError } from './run-claim.ts';
import { createRunControl } from './run-control.ts';
import { toSignalChecks } from './signal-checks.ts';

const uuid = '3f0c9a52-6a0e-4b7e-9f0e-0d6f3c1a2b4c';
const minute = 60_000;
let directory = '';
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'run-control-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

interface Situation {
  readonly assigned?: boolean;
  readonly startsOpen?: boolean;
  readonly follows?: boolean;
  readonly hasShownWork?: boolean;
  readonly stop?: object;
  /** Webhooks about the thread that have come; one is taken by each checkpoint. */
  readonly webhooks?: string[];
  readonly pause?: object;
  /** What the next confirmations of the claim reject with. */
  readonly claimFails?: Error[];
  /** What the next confirmations of the repository reject with. */
  readonly repositoryFails?: Error[];
}

function setUp(options: Situation = {}) {
  const platform = createMemoryPlatform();
  const key = platform.people.openIssue({ repository: 'octo/hello', author: 'alice', title: 'x' });
  if (options.assigned) platform.people.assign(key, ['agent']);
  const ports = platform.openThread(key);
  const lag: { shown: Thread | null; read: () => Promise<Thread> } = {
    shown: null,
    read: () => ports.reader.readThread(),
  };
  const clock = { ms: 0 };
  const controls = createFileRunControls({ baseDirectory: directory });
  const pauseSignalFile = join(directory, 'pause_signal');
  const heldAt: number[] = [];
  const logged: { readonly msg: string; readonly failures?: number }[] = [];
  const control = createRunControl({
    uuid,
    controls,
    pauseSignal: createFilePauseSignal(pauseSignalFile),
    thread: {
      reader: { readThread: async (call) => lag.shown ?? ports.reader.readThread(call) },
      describe: async (call) => (await ports.repository?.describe(call)) ?? {},
      signs: { showsWork: ({ labels }) => labels.includes('at work') },
      hasShownWork: async () => options.hasShownWork ?? false,
      assigned: options.assigned ?? false,
      startsOpen: async () => options.startsOpen ?? true,
      follows: async () => options.follows ?? false,
      ownAccount: () => platform.identity.whoAmI(),
    },
    rings: { takeThread: () => options.webhooks?.shift() !== undefined, takeAny: () => false },
    claim: {
      hold: async () => {
        heldAt.push(clock.ms);
        const error = options.claimFails?.shift();
        if (error !== undefined) throw error;
      },
    },
    confirm: async () => {
      const error = options.repositoryFails?.shift();
      if (error !== undefined) throw error;
    },
    checks: toSignalChecks({
      pause_resume: pauseResumeSchema.parse(options.pause ?? {}),
      task_stop: taskStopSchema.parse(options.stop ?? {}),
    }),
    now: () => clock.ms,
    logger: pino({}, { write: (line) => void logged.push(JSON.parse(line)) }),
  });
  return {
    logged,
    platform,
    key,
    lag,
    clock,
    controls,
    control,
    pauseSignalFile,
    heldAt,
    read: () => control.signals.read({}),
  };
}

describe('createRunControl', () => {
  it('says pause while the signal file exists, and lets it win over a stop [RL-2]', async () => {
    const { read, controls, pauseSignalFile } = setUp();
    expect(await read()).toBe('none');
    await controls.request(uuid, 'stop');
    expect(await read()).toBe('stop');
    await writeFile(pauseSignalFile, '');
    expect(await read()).toBe('pause');
  });

  it('logs the first failure to read requests during a step, and the recovery [RL-2]', async () => {
    const { control, controls, logged } = setUp();
    const read = () => control.interruptions.requests.read({});
    const place = join(directory, 'control');
    await writeFile(place, '');
    expect([await read(), await read(), await read()]).toEqual(['none', 'none', 'none']);
    expect(logged).toHaveLength(1);
    await rm(place);
    await controls.request(uuid, 'stop');
    expect([await read(), await read()]).toEqual(['stop', 'stop']);
    expect(logged).toMatchObject([
      { msg: 'failed to check for commands during step' },
      { msg: 'checking for commands during step again', count: 3 },
    ]);
  });

  it('hears what is asked of this run, not of another [RL-2]', async () => {
    const { read, controls } = setUp();
    await controls.request('00000000-0000-4000-8000-000000000000', 'stop');
    expect(await read()).toBe('none');
    await controls.request(uuid, 'pause');
    expect(await read()).toBe('pause');
  });

  it('stops when the assignment that the run began with is gone, at most every 30 seconds [RL-2, RL-3, X13]', async () => {
    const { read, platform, key, clock, control } = setUp({ assigned: true });
    expect(await read()).toBe('none');
    platform.people.assign(key, []);
    clock.ms = 29_999;
    expect(await read()).toBe('none');
    clock.ms = 30_000;
    expect(await read()).toBe('stop');
    expect(control.stopCause()).toBe('unassigned');
  });

  it('reads the issue at the next checkpoint after a webhook about it, without waiting for 30 seconds', async () => {
    const webhooks: string[] = [];
    const { read, platform, key, control } = setUp({ webhooks });
    expect(await read()).toBe('none');
    platform.people.closeThread(key);
    expect(await read()).toBe('none');
    webhooks.push('closed');
    expect([await read(), control.stopCause()]).toEqual(['stop', 'closed']);
  });

  it('reads the issue during a step, which no checkpoint ends, as often as between steps [RL-2, RL-3]', async () => {
    const { control, platform, key, clock, read } = setUp();
    const { thread, requests } = control.interruptions;
    expect(await read()).toBe('none');
    platform.people.closeThread(key);
    clock.ms = 29_999;
    expect([await thread?.read({}), await requests.read({})]).toEqual(['none', 'none']);
    clock.ms = 30_000;
    expect([await thread?.read({}), await requests.read({})]).toEqual(['stop', 'stop']);
    expect(control.stopCause()).toBe('closed');
  });

  it('stops when the issue is closed or loses the label of work, which only counts once it was seen [RL-2]', async () => {
    const stop = { min_check_interval_seconds: 0 };
    const closed = setUp({ stop });
    expect(await closed.read()).toBe('none');
    closed.platform.people.closeThread(closed.key);
    expect([await closed.read(), closed.control.stopCause()]).toEqual(['stop', 'closed']);
    const unlabeled = setUp({ stop });
    const label = (...labels: string[]) => unlabeled.platform.people.setLabels(unlabeled.key, labels);
    expect(await unlabeled.read()).toBe('none');
    label('at work', 'bug');
    expect(await unlabeled.read()).toBe('none');
    label('bug');
    expect([await unlabeled.read(), unlabeled.control.stopCause()]).toEqual(['stop', 'unlabeled']);
  });

  it('checks before another attempt whether the label that an earlier one has set is still there, unless checks are off [RL-2, RL-3]', async () => {
    const first = setUp();
    expect(await first.control.isToldToStop()).toBe(false);
    const again = setUp({ hasShownWork: true });
    expect([await again.control.isToldToStop(), await again.read()]).toEqual([true, 'stop']);
    expect(again.control.stopCause()).toBe('unlabeled');
    const away = setUp({ hasShownWork: true });
    away.platform.failNext({ operation: 'readThread', error: new Error('down') });
    expect(await away.control.isToldToStop()).toBe(false);
    const off = setUp({ hasShownWork: true, stop: { enabled: false } });
    expect(await off.control.isToldToStop()).toBe(false);
  });

  it('works on in a closed issue where a user resumed it there, until it is closed once more [RL-2]', async () => {
    const { read, platform, key } = setUp({ startsOpen: false, stop: { min_check_interval_seconds: 0 } });
    platform.people.closeThread(key);
    expect([await read(), await read()]).toEqual(['none', 'none']);
  });

  it('leaves a closed issue to the follow-up while the run follows its change request [RL-2]', async () => {
    const { read, platform, key } = setUp({ follows: true, stop: { min_check_interval_seconds: 0 } });
    expect(await read()).toBe('none');
    platform.people.closeThread(key);
    expect(await read()).toBe('none');
  });

  it('stops when the issue is deleted, and not when it only cannot be found [RL-2]', async () => {
    const stop = { min_check_interval_seconds: 0 };
    const { read, platform, control } = setUp({ stop });
    const gone = new PlatformError('There is no such issue.', { code: 'not-found' });
    platform.failNext({ operation: 'readThread', error: gone });
    platform.failNext({ operation: 'describe', error: gone });
    expect([await read(), control.stopCause()]).toEqual(['none', null]);
    // One answer may come from a server that lags behind.
    platform.failNext({ operation: 'readThread', error: gone });
    expect([await read(), control.stopCause()]).toEqual(['none', null]);
    for (let request = 0; request < 2; request += 1)
      platform.failNext({ operation: 'readThread', error: gone });
    expect([await read(), control.stopCause()]).toEqual(['stop', 'deleted']);
  });

  it('ignores a reading that is older than the one before: it shows what was there before our own changes [RL-2]', async () => {
    const { read, platform, key, lag } = setUp({ stop: { min_check_interval_seconds: 0 } });
    platform.people.setLabels(key, []);
    const before = await lag.read();
    platform.people.setLabels(key, ['at work']);
    expect(await read()).toBe('none');
    lag.shown = { ...before, updatedAt: '2000-01-01T00:00:00Z' };
    expect(await read()).toBe('none');
    lag.shown = null;
    expect(await read()).toBe('none');
  });

  it('keeps its thread however long it makes no push: the claim is confirmed every 20 minutes, at a checkpoint [NX-99]', async () => {
    const down = new Error('The platform is away.');
    const { read, clock, heldAt, control } = setUp({ claimFails: [down] });
    for (let minutes = 0; minutes <= 70; minutes += 7) {
      clock.ms = minutes * minute;
      expect(await read()).toBe('none');
    }
    // What failed at 21 minutes was asked again at the next checkpoint.
    expect(heldAt.map((ms) => ms / minute)).toEqual([21, 28, 49, 70]);
    expect(control.requireThread).not.toThrow();
  });

  it('claims nothing in another repository that has the name of its own [NX-263]', async () => {
    const other = new OtherRepositoryError({ path: 'octo/hello', now: 'octo/hello' });
    const { read, clock, heldAt } = setUp({ repositoryFails: [other] });
    clock.ms = 20 * minute;
    expect(await read()).toBe('none');
    expect(heldAt).toEqual([]);
    clock.ms = 21 * minute;
    expect(await read()).toBe('none');
    expect(heldAt).toEqual([21 * minute]);
  });

  it('stops a run whose thread another one has claimed, and asks no more [NX-99]', async () => {
    const lost = new ClaimLostError('7c1d');
    const { read, clock, heldAt, control } = setUp({ claimFails: [lost] });
    clock.ms = 20 * minute;
    expect([await read(), await read()]).toEqual(['stop', 'stop']);
    expect(heldAt).toHaveLength(1);
    expect(control.requireThread).toThrow(lost);
  });

  it('does not stop a run that never was assigned, until somebody has assigned it [X13]', async () => {
    const { read, platform, key } = setUp({ stop: { min_check_interval_seconds: 0 } });
    expect(await read()).toBe('none');
    platform.people.assign(key, ['agent']);
    expect(await read()).toBe('none');
    platform.people.assign(key, ['alice']);
    expect(await read()).toBe('stop');
  });

  it('takes us for assigned while the platform cannot be asked [RL-3]', async () => {
    const { read, platform } = setUp({ assigned: true, stop: { min_check_interval_seconds: 0 } });
    platform.failNext({ operation: 'readThread', error: new Error('down') });
    expect(await read()).toBe('none');
  });

  it('asks as often as it is told, and not at all where it is switched off [RL-3]', async () => {
    const { read, pauseSignalFile } = setUp({ pause: { check_interval: 3 } });
    await read();
    await writeFile(pauseSignalFile, '');
    expect([await read(), await read(), await read()]).toEqual(['none', 'none', 'pause']);
    const off = setUp({ pause: { enabled: false }, stop: { enabled: false } });
    expect(await off.read()).toBe('none');
  });
});
