// @module-tag full
import { readFile, writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startDaemonProcess } from '../support/daemon-process.ts';
import { fixScript } from '../support/fix-script.ts';
import type { ForgeName, ForgeThreadSeed } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry, itInFullInFiles } from '../support/samples.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issueSeed: ForgeThreadSeed = {
  title: '合計が間違っている',
  body: '数量が抜けています。',
  labels: ['coding agent'],
};

/** A world whose model lets something happen when it is asked for the n-th time. */
async function startAt(
  { step, forge = 'github' }: { readonly step: number; readonly forge?: ForgeName },
  happen: (at: World) => Promise<void>,
): Promise<World> {
  let asked = 0;
  const started = await startWorld({
    script: fixScript,
    forges: [forge],
    config: {
      poll_interval_seconds: 0.2,
      task_stop: { min_check_interval_seconds: 0 },
      report: { style: 'seed' },
    },
    onModelRequest: async () => {
      asked += 1;
      if (asked === step) await happen(started);
    },
  });
  world = started;
  return started;
}

/** Asks the one run at work for something. */
async function askRunning({ runs }: World, verb: 'pause' | 'stop'): Promise<void> {
  const [uuid = ''] = await runs.list('running');
  await runs.ask(uuid, verb);
}

const bodies = (at: World, reference: string): string[] =>
  at.forge.thread(reference).comments.map(({ body }) => body);

describe.each(forgesToTry('github'))('a run that is paused, on %s', (name) => {
  it('stops at the next checkpoint, says so, and goes on when the signal is gone [RL-2, RL-4, RL-5, RL-8, RL-14]', async () => {
    const at = await startAt({ step: 2, forge: name }, (here) => here.runs.pauseAll());
    const { reference } = at.forge.openIssue(issueSeed);
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(1);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent paused']);
    expect(bodies(at, reference)).toEqual([
      expect.stringContaining('タスクを一時停止しました。後で再開されます。'),
    ]);
    expect(bodies(at, reference)[0]).toContain('- LLM呼び出し回数: 2');
    const [uuid = ''] = await at.runs.list('paused');
    const state = JSON.parse(await at.runs.readFile(uuid, 'task_state.json'));
    expect(state).toMatchObject({
      task_key: at.forge.taskKeyOf(1),
      uuid,
      status: 'paused',
      resume_count: 0,
      last_error: null,
    });

    // While the signal stands, nothing is resumed.
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(0);
    expect(await at.runs.list('paused')).toEqual([uuid]);

    await at.runs.resumeAll();
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(0);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(
      bodies(at, reference).map((body) =>
        body.split('\n').find((line) => /[^<>!\s-]/.test(line) && !line.startsWith('<!--')),
      ),
    ).toEqual([
      'タスクを一時停止しました。後で再開されます。',
      '一時停止されたタスクを再開します。',
      '## ✅ タスク完了',
    ]);
    expect(await at.runs.list('completed')).toEqual([uuid]);
    expect(listTurns(at.model)).toHaveLength(5);
  });

  it('is not resumed when it has expired, and ends as stopped when its thread was deleted [RL-6]', async () => {
    const at = await startAt({ step: 2, forge: name }, (here) => here.runs.pauseAll());
    const { reference } = at.forge.openIssue(issueSeed);
    await startDaemonProcess(at.configFile).exited;
    await at.runs.resumeAll();
    const [uuid = ''] = await at.runs.list('paused');
    const config = await readFile(at.configFile, 'utf8');
    await writeFile(at.configFile, `${config}pause_resume: { paused_task_expiry_days: 1.0e-12 }\n`);
    const expired = await startDaemonProcess(at.configFile).exited;
    expect(expired.output).toContain('skipped paused run: expired');
    await writeFile(at.configFile, config);
    at.forge.deleteThread(reference);
    const gone = await startDaemonProcess(at.configFile).exited;
    expect(gone.output).toContain('finished task');
    expect(await at.runs.list('completed')).toEqual([uuid]);
  });

  itInFullInFiles(
    'is held by a request for it alone until that is taken back [RL-2]',
    { tags: ['release'] },
    async () => {
      const at = await startAt({ step: 2, forge: name }, (here) => askRunning(here, 'pause'));
      const { reference } = at.forge.openIssue(issueSeed);
      await startDaemonProcess(at.configFile).exited;
      expect(at.forge.thread(reference).labels).toEqual(['coding agent paused']);
      await startDaemonProcess(at.configFile).exited;
      const [uuid = ''] = await at.runs.list('paused');
      await at.runs.ask(uuid, 'resume');
      await startDaemonProcess(at.configFile).exited;
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
      expect(await at.runs.listAsked()).toEqual([]);
    },
  );

  itInFullInFiles(
    'goes on, instead of a new run, when its thread is labeled again [RL-5]',
    { tags: ['release'] },
    async () => {
      const at = await startAt({ step: 2, forge: name }, (here) => askRunning(here, 'pause'));
      const { reference } = at.forge.openIssue(issueSeed);
      await startDaemonProcess(at.configFile).exited;
      at.forge.addLabels(reference, ['coding agent']);
      await startDaemonProcess(at.configFile).exited;
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
      expect(await at.runs.list('completed')).toHaveLength(1);
    },
  );
});

describe.each(forgesToTry('github'))('a run that is stopped, on %s', (name) => {
  it('ends when the agent is no longer assigned, to the letter, and is never resumed [RL-2, RL-7, RL-8, RL-14]', async () => {
    const at = await startAt({ step: 2, forge: name }, async (here) => here.forge.assign('#1'));
    const { reference } = at.forge.openIssue({ ...issueSeed, assignees: ['robot'] });
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(1);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent stopped']);
    const [comment = ''] = bodies(at, reference);
    expect(comment).toContain(
      '## ⛔ タスク停止\n\nコーディングエージェントのアサインが解除されたため、タスクを停止しました。\n\n**停止時刻:** ',
    );
    expect(comment).toContain('**LLM対話回数:** 3');
    expect(await at.runs.list('completed')).toHaveLength(1);
    await startDaemonProcess(at.configFile).exited;
    expect(bodies(at, reference)).toHaveLength(1);
  });

  itInFullInFiles(
    'goes on when it never was assigned, and when the thread cannot be asked [RL-3, RL-7]',
    async () => {
      const at = await startAt({ step: 2, forge: name }, async (here) => {
        here.forge.assign('#1', 'alice');
        here.forge.refuseToRead('#1');
      });
      const { reference } = at.forge.openIssue(issueSeed);
      const { output } = await startDaemonProcess(at.configFile).exited;
      expect(output).toContain('failed to check for pause or stop');
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    },
  );

  itInFullInFiles(
    'is stopped also while it is paused, and pause wins when both are asked at once [RL-2, RL-7]',
    async () => {
      const at = await startAt({ step: 2, forge: name }, async (here) => {
        await askRunning(here, 'stop');
        await here.runs.pauseAll();
      });
      const { reference } = at.forge.openIssue(issueSeed);
      await startDaemonProcess(at.configFile).exited;
      expect(at.forge.thread(reference).labels).toEqual(['coding agent paused']);
      await at.runs.resumeAll();
      await startDaemonProcess(at.configFile).exited;
      expect(at.forge.thread(reference).labels).toEqual(['coding agent stopped']);
      expect(bodies(at, reference).at(-1)).toContain('停止の指示を受けたため、タスクを停止しました。');
    },
  );
});

describe.each(forgesToTry('github'))('a run that has changed files, on %s', (name) => {
  it.each([
    ['paused', (here: World) => here.runs.pauseAll()],
    ['stopped', async (here: World) => here.forge.assign('#1')],
  ])('and is %s offers nothing for merging, and is not labeled done [RL-8, X7]', async (end, happen) => {
    // The model is asked for the fourth time when it has changed a file.
    const at = await startAt({ step: 4, forge: name }, happen);
    const { reference } = at.forge.openIssue({ ...issueSeed, assignees: ['robot'] });
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(1);
    expect(at.forge.thread(reference).labels).toEqual([`coding agent ${end}`]);
    expect(listTurns(at.model).at(-1)).toContain('line.quantity');
    expect(at.forge.changeRequests()).toEqual([]);
    expect(bodies(at, reference)).toHaveLength(1);
    expect(bodies(at, reference)[0]).not.toContain('✅');
  });
});

describe('a run whose process keeps dying', () => {
  async function crashThreeTimes() {
    const at = await startAt({ step: 99 }, async () => {});
    at.model.misbehave({ kind: 'hang' }, { times: 100 });
    const { reference } = at.forge.openIssue(issueSeed);
    for (let crash = 0; crash < 3; crash += 1) {
      const daemon = startDaemonProcess(at.configFile);
      await daemon.printed(/calling model/);
      daemon.child.kill('SIGKILL');
      await daemon.exited;
    }
    return { at, reference };
  }

  it('is given up with the reason after three crashes in a row without a step [RL-10]', async () => {
    const { at, reference } = await crashThreeTimes();
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(1);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent failed']);
    expect(bodies(at, reference)).toEqual([expect.stringContaining('3回続けて異常終了しました')]);
  });

  it('ends as stopped if a user asked for that before its process died for the third time [RL-10]', {
    tags: ['release'],
  }, async () => {
    const { at, reference } = await crashThreeTimes();
    at.model.behave();
    await askRunning(at, 'stop');
    expect((await startDaemonProcess(at.configFile).exited).code).toBe(1);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent stopped']);
    expect(bodies(at, reference)).toHaveLength(1);
  });

  itInFullInFiles(
    'is not given up for shutdowns, which are no crashes [RL-10, RL-12]',
    { tags: ['release'] },
    async () => {
      const at = await startAt({ step: 99 }, async () => {});
      const { reference } = at.forge.openIssue(issueSeed);
      for (let time = 0; time < 4; time += 1) {
        const daemon = startDaemonProcess(at.configFile);
        await daemon.printed(/starting run|resuming run/);
        daemon.child.kill('SIGTERM');
        expect((await daemon.exited).code).toBe(143);
      }
      await startDaemonProcess(at.configFile).exited;
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    },
  );
});
