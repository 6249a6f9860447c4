// @module-tag full
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { quickWaits, runDaemonCommand, startDaemonProcess } from '../support/daemon-process.ts';
import { answerScript, fixScript } from '../support/fix-script.ts';
import type { ForgeName } from '../support/forge.ts';
import type { GitHubForge } from '../support/github-forge.ts';
import type { GitLabForge } from '../support/gitlab-forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { forgesToTry, itInFullInFiles, sampleOf } from '../support/samples.ts';
import { startWorld, type World, type WorldOptions } from '../support/world.ts';
import { isOnPostgres } from '../support/world-runs.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const issue = { title: 'The total is wrong', body: 'It forgets the quantity.', labels: ['coding agent'] };
const comments = /\/(comments|notes)$/;
const nodeArguments = quickWaits;
const labelRequests = { github: [/\/labels/, 'POST'], gitlab: [/\/issues\/1$/, 'PUT'] } as const;

/** A refusal that begins when the model is asked, so that the run itself has begun. */
interface LateRefusal {
  readonly status: number;
  readonly times: number;
}

async function startOn(
  name: ForgeName,
  { late, ...options }: Partial<WorldOptions> & { readonly late?: LateRefusal } = {},
) {
  let isLate = late !== undefined;
  const onModelRequest = () => {
    if (isLate && late) simulator.fail({ method: 'POST', path: comments, kind: 'refused', ...late });
    isLate = false;
  };
  const at = await startWorld({ script: answerScript, forges: [name], onModelRequest, ...options });
  world = at;
  const { simulator } = at.forge as GitHubForge | GitLabForge;
  const reference = '#1';
  at.forge.openIssue(issue);
  return {
    at,
    reference,
    /** The next requests to write on the thread are refused. */
    refuse: (status: number, times: number, path: string | RegExp = comments, method = 'POST') =>
      simulator.fail({ ...(method === '' ? {} : { method }), path, kind: 'refused', status, times }),
    finalComments: () =>
      at.forge.thread(reference).comments.filter(({ body }) => /Task completed|Nothing to change/.test(body)),
    running: () => at.runs.list('running'),
  };
}

/** Runs the daemon to its end. */
const runOnce = (at: World) => startDaemonProcess(at.configFile, { nodeArguments }).exited;

/** Runs a daemon that stays, until a task has ended. @returns what it printed */
async function runUntilEnded(at: World): Promise<string> {
  const daemon = startDaemonProcess(at.configFile, { flags: [], nodeArguments });
  await daemon.printed(/finished task/);
  daemon.child.kill('SIGTERM');
  return (await daemon.exited).output;
}

describe.each(forgesToTry('github'))('the beginning of a run on %s', (name) => {
  it.each(sampleOf([403, 409, 422], (status) => status === 422))(
    'waits for its first comment, however the platform refuses it: %i [NX-93, NX-99]',
    { tags: ['release'] },
    async (status) => {
      const { at, reference, finalComments, refuse } = await startOn(name);
      refuse(status, 6);
      const first = await runOnce(at);
      expect(first.output).not.toContain('failed task');
      expect(at.model.requests.filter(({ method }) => method === 'POST')).toHaveLength(0);
      await runOnce(at);
      expect(finalComments()).toHaveLength(1);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    },
  );
});

describe.each(forgesToTry('github'))('the end of a run on %s', (name) => {
  it.each(sampleOf([401, 403, 404, 410, 422], (status) => status < 403))(
    'is shown once the platform takes it, however it refused before: %i [RL-9, RL-14, NX-93]',
    async (status) => {
      const late = { status, times: status === 401 ? 6 : 4 };
      const { at, reference, finalComments, running } = await startOn(name, { late });
      const first = await runOnce(at);
      expect(first.output).toContain('failed to publish run result');
      // Where processes share a queue, the next attempt has a time of its own, which may come while the first one is there.
      if (!isOnPostgres) expect([first.code, await running()]).toEqual([1, [expect.any(String)]]);
      await runOnce(at);
      expect(finalComments()).toHaveLength(1);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
      expect(await running()).toEqual([]);
      expect(at.model.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
    },
  );

  it('is shown in the same process, while its thread is free for another run [NX-93]', {
    tags: ['full'],
  }, async () => {
    const { at, reference, finalComments } = await startOn(name, {
      config: { poll_interval_seconds: 20 },
      late: { status: 403, times: 5 },
    });
    const daemon = startDaemonProcess(at.configFile, { flags: [], nodeArguments });
    await daemon.printed(/failed to publish run result/);
    await daemon.printed(/finished task/);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    expect(finalComments()).toHaveLength(1);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
  });

  it('that stays refused is said by "status", and given up by "settle" and nobody else [NX-94]', {
    tags: ['full'],
  }, async () => {
    const { at, running } = await startOn(name, { late: { status: 403, times: 1_000 } });
    await runOnce(at);
    const { output } = await runDaemonCommand(at.configFile, ['status']);
    expect(output).toMatch(/Updates of acme\/shop#1.*could not be published.*comment/);
    expect((await runDaemonCommand(at.configFile, ['settle', 'acme/shop#1'])).code).toBe(0);
    expect((await runOnce(at)).code).toBe(0);
    expect(await running()).toEqual([]);
    const [uuid = ''] = await at.runs.list('completed');
    const record = await at.runs.readFile(uuid, 'messages.jsonl');
    expect(record).toContain('an operator');
  });
});

describe.each(forgesToTry('github'))('a label on %s', (name) => {
  it('that somebody gives while the end is not shown whole stays, and begins another run [RL-7, NX-95]', {
    tags: ['full'],
  }, async () => {
    // The comment stands; then no label can be changed until the next start.
    const [path, method] = labelRequests[name];
    let isRefused = false;
    let aheadMs = 0;
    const onForgeRequest = () => {
      if (isRefused || story?.finalComments().length !== 1) return;
      isRefused = true;
      story.refuse(403, 5, path, method);
    };
    let story: Awaited<ReturnType<typeof startOn>> | null = null;
    story = await startOn(name, { onForgeRequest, now: () => Date.now() + aheadMs });
    const { at, reference, finalComments } = story;
    await runOnce(at);
    expect(finalComments()).toHaveLength(1);
    // Forges give the times of labels in whole seconds.
    aheadMs = 1_000;
    at.forge.comment(reference, { author: 'alice', body: 'The other half, too.' });
    at.forge.addLabels(reference, ['coding agent']);
    await runOnce(at);
    expect(finalComments()).toHaveLength(2);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
  });

  it('that is given in the middle of a run asks for another one [RL-7, NX-95]', {
    tags: ['release'],
  }, async () => {
    let isGiven = false;
    let aheadMs = 0;
    const { at, reference, finalComments } = await startOn(name, {
      script: fixScript,
      now: () => Date.now() + aheadMs,
      onModelRequest: () => {
        if (isGiven) return;
        isGiven = true;
        // Forges give the times of labels in whole seconds.
        aheadMs = 1_000;
        at.forge.addLabels(reference, ['coding agent']);
      },
    });
    expect((await runOnce(at)).code).toBe(0);
    expect(finalComments()).toHaveLength(2);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
  });
});

describe('a run that has ended and is not settled', { tags: ['full'] }, () => {
  /** From the final comment on, no comment can be edited: the status comment of the first run does not end. */
  async function endUnsettled(options: Partial<WorldOptions>) {
    let story: Awaited<ReturnType<typeof startOn>> | null = null;
    const endings = ['Nothing to change', 'Task completed', 'Task failed'];
    const onForgeRequest = () => {
      const said = story?.at.forge.thread('#1').comments ?? [];
      if (!said.some(({ body }) => endings.some((text) => body.includes(text)))) return;
      story?.refuse(403, 1_000, /comments\/\d+$/, 'PATCH');
    };
    story = await startOn('github', { onForgeRequest, ...options });
    await runOnce(story.at);
    const [uuid = ''] = await story.running();
    return { ...story, uuid };
  }

  async function readBegun({ at, running }: Awaited<ReturnType<typeof endUnsettled>>, earlier: string) {
    const [uuid = ''] = (await running()).filter((name) => name !== earlier);
    const text = await at.runs.readFile(uuid, 'metadata.json');
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  }

  it('is inherited from by the next run of its thread [NX-113]', { tags: ['release'] }, async () => {
    const story = await endUnsettled({});
    const { at, uuid, reference, finalComments } = story;
    at.forge.addLabels(reference, ['coding agent']);
    await runOnce(at);
    expect(finalComments()).toHaveLength(2);
    expect(await readBegun(story, uuid)).toMatchObject({ inherited_from_uuid: uuid });
  });

  itInFullInFiles(
    'is gone on from where it failed, and its label gives way to that of the other run [NX-113]',
    async () => {
      const script: Script = (view) =>
        JSON.stringify(view).includes('asked to continue from there')
          ? { text: 'Went on.' }
          : fixScript(view);
      const story = await endUnsettled({ script, config: { limits: { max_steps: 4 } } });
      const { at, uuid, reference, finalComments } = story;
      expect((await runDaemonCommand(at.configFile, ['retry', 'acme/shop#1'])).code).toBe(0);
      await runOnce(at);
      expect(finalComments()).toHaveLength(1);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
      expect(await readBegun(story, uuid)).toMatchObject({ extra: { retry_of: uuid } });
    },
  );
});

describe.each(forgesToTry('github'))('work that cannot be brought to %s', { tags: ['full'] }, (name) => {
  const requests = name === 'github' ? /\/pulls$/ : /\/merge_requests$/;
  const refused = [
    ['a push', 'git-receive-pack', 403, ''],
    ['a change request', requests, 403, 'POST'],
    ['a change request', requests, 422, 'POST'],
  ] as const;
  it.each(sampleOf(refused, ([, , status]) => status === 422))(
    'is brought there later, by the run that made it: %s, %s, %i [NX-110]',
    async (_, path, status, method) => {
      const { at, reference, refuse, finalComments } = await startOn(name, {
        script: fixScript,
        config: { poll_interval_seconds: 20 },
      });
      // One attempt takes four tries; another one must follow.
      refuse(status, 5, path, method);
      expect(await runUntilEnded(at)).toContain('failed to run task');
      expect(finalComments()).toHaveLength(1);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
      expect(at.forge.changeRequests()).toHaveLength(1);
    },
  );

  it('is said by "status", and given up by "settle": then the run ends and says so [NX-94, NX-110]', async () => {
    const { at, reference, refuse, running } = await startOn(name, { script: fixScript });
    refuse(403, 1_000, 'git-receive-pack', '');
    expect((await runOnce(at)).code).toBe(1);
    expect(await running()).toHaveLength(1);
    expect((await runDaemonCommand(at.configFile, ['status'])).output).toMatch(
      /Updates of .*could not be published.*push.*403/,
    );
    expect((await runDaemonCommand(at.configFile, ['settle', 'acme/shop#1'])).code).toBe(0);
    await runOnce(at);
    expect(await running()).toEqual([]);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent failed']);
    expect(at.forge.thread(reference).comments.at(-1)?.body).toContain('abandoned by an operator');
  });

  it('ends with its run at once where somebody says /stop, though not even a comment is taken [NX-130]', async () => {
    const { at, reference, refuse } = await startOn(name, {
      config: { poll_interval_seconds: 20, comment_detection: { enabled: true } },
    });
    refuse(403, 1_000);
    const daemon = startDaemonProcess(at.configFile, { flags: [], nodeArguments });
    await daemon.printed(/failed to run task/);
    at.forge.comment(reference, { author: 'alice', body: '/stop' });
    await daemon.printed(/failed to publish run result/);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    expect(listTurns(at.model)).toEqual([]);
  });

  it('ends with its run at once where somebody says /stop, though not even the label is taken [NX-130]', {
    tags: ['release'],
  }, async () => {
    const { at, reference, refuse } = await startOn(name, {
      config: { poll_interval_seconds: 20, comment_detection: { enabled: true } },
    });
    const [path, method] = labelRequests[name];
    refuse(403, 1_000, path, method);
    const daemon = startDaemonProcess(at.configFile, { flags: [], nodeArguments });
    await daemon.printed(/failed to run task/);
    at.forge.comment(reference, { author: 'alice', body: '/stop' });
    await daemon.printed(/failed to publish run result/);
    daemon.child.kill('SIGTERM');
    await daemon.exited;
    const said = at.forge.thread(reference).comments.map(({ body }) => body);
    expect(said.at(-1)).toContain('Task stopped');
    expect(listTurns(at.model)).toEqual([]);
  });

  itInFullInFiles(
    'and that a run left which failed is pushed after its end, to the branch that its comment names [NX-110]',
    { tags: ['release'] },
    async () => {
      const { at, reference, refuse, running } = await startOn(name, {
        script: fixScript,
        config: { limits: { max_steps: 4 } },
      });
      refuse(403, 12, 'git-receive-pack', '');
      await runOnce(at);
      expect(await running()).toHaveLength(1);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent failed']);
      const said = at.forge.thread(reference).comments.at(-1)?.body ?? '';
      expect(said).toContain("I'll retry the push for up to seven days");
      await runOnce(at);
      await runOnce(at);
      expect(await running()).toEqual([]);
      const [branch = ''] = /(?<=are on the branch `)[^`]+/.exec(said) ?? [];
      expect(await at.forge.branches()).toContain(branch);
    },
  );
});

describe.each(forgesToTry('github'))('a task on %s', { tags: ['full'] }, (name) => {
  it.each(sampleOf([401, 403, 404], (status) => status === 403))(
    'that cannot be begun just now is begun in the same process, once it can: %i [NX-97]',
    async (status) => {
      const { at, reference, refuse, finalComments } = await startOn(name, {
        config: { poll_interval_seconds: 20 },
      });
      refuse(status, 2, /\/issues\/1$/, 'GET');
      expect(await runUntilEnded(at)).toContain('failed to run task');
      expect(finalComments()).toHaveLength(1);
      expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    },
  );

  itInFullInFiles.each(
    sampleOf(['git-upload-pack', 'git-receive-pack'], (path) => path === 'git-upload-pack'),
  )('whose git is refused once with 403 is worked on all the same: %s [NX-97]', async (path) => {
    const { at, reference, refuse, finalComments } = await startOn(name, { script: fixScript });
    refuse(403, 1, path, '');
    expect((await runOnce(at)).code).toBe(0);
    expect(finalComments()).toHaveLength(1);
    expect(at.forge.thread(reference).labels).toEqual(['coding agent done']);
    expect(at.forge.changeRequests()).toHaveLength(1);
  });
});
