import { setTimeout as delay } from 'node:timers/promises';
import type { Script } from '@agent/simulators/model';
import { afterEach, describe, expect, it } from 'vitest';
import { type DaemonProcess, quickWaits, startDaemonProcess } from '../support/daemon-process.ts';
import type { ForgeName, ForgeNews } from '../support/forge.ts';
import { listTurns } from '../support/model-requests.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World | null = null;
let daemon: DaemonProcess | null = null;
afterEach(async () => {
  daemon?.child.kill('SIGKILL');
  await daemon?.exited;
  await world?.close();
  [world, daemon] = [null, null];
});

const secret = 'TheSecretOfTheWebhookInTests0001';
const environment = { GITHUB_WEBHOOK_SECRET: secret, GITLAB_WEBHOOK_TOKEN: secret };
const label = 'coding agent';
/** More than a second by the clock of a daemon that waits a hundred times shorter: it may look again. */
const spacingMs = 20;

/** Reads a file four times, then ends. */
const script: Script = (view) =>
  view.exchanges.length < 4
    ? { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] }
    : { text: 'Done.' };

/** A daemon that looks for tasks once a day, and what to post to it. */
async function start(forge: ForgeName, moments: Readonly<Record<number, () => unknown>>) {
  let asked = 0;
  const at = await startWorld({
    script,
    forges: [forge],
    config: {
      comment_detection: { enabled: true },
      poll_interval_seconds: 86_400,
      task_stop: { min_check_interval_seconds: 86_400 },
      http: { port: 0 },
      log: { level: 'debug' },
    },
    onModelRequest: async () => {
      asked += 1;
      await moments[asked]?.();
      await delay(spacingMs);
    },
  });
  world = at;
  const running = startDaemonProcess(at.configFile, {
    flags: ['--log-format', 'json'],
    nodeArguments: quickWaits,
    environment,
  });
  daemon = running;
  await running.printed(/listening for webhooks/);
  await running.printed(/polled for tasks/);
  const url = /"url":"(http:[^"]+)"/.exec(running.output())?.[1] ?? '';
  const deliver = async (news: ForgeNews, by = secret): Promise<number> => {
    const delivery = at.forge.composeDelivery(news, by);
    const response = await fetch(`${url}/webhooks/${forge}`, { method: 'POST', ...delivery });
    return response.status;
  };
  return { at, running, deliver };
}

const requests = (at: World): readonly string[] => listTurns(at.model);

describe.each(['github', 'gitlab'] as const)('webhooks of %s', (forge) => {
  it('begin a task at once, and bring what is said and edited into the next request to the model [NX-1, NX-2]', {
    tags: ['full'],
  }, async () => {
    const statuses: number[] = [];
    let commentId = '';
    const { at, running, deliver } = await start(forge, {
      2: async () => {
        commentId = at.forge.comment('#1', { author: 'alice', body: 'Make it PURPLE.' });
        statuses.push(await deliver({ commentId, change: 'created' }));
      },
      3: async () => {
        at.forge.editComment(commentId, 'Make it ORANGE.');
        statuses.push(await deliver({ commentId, change: 'edited' }));
      },
    });
    at.forge.openIssue({ title: 'The total is wrong', body: null, labels: [label] });
    statuses.push(await deliver({ reference: '#1', label }));
    await running.printed(/finished task/);

    expect(statuses).toEqual([202, 202, 202]);
    const counts = (word: string) => requests(at).map((request) => request.split(word).length - 1);
    // An edit shows the new text, and what changed line by line.
    expect(counts('Make it PURPLE')).toEqual([0, 0, 1, 2, 2]);
    expect(counts('Make it ORANGE')).toEqual([0, 0, 0, 2, 2]);
    expect(running.output()).not.toContain(secret);
  });

  it('stop a run whose issue was closed at its next step, however rarely it reads the issue [RL-2]', {
    tags: ['full'],
  }, async () => {
    const { at, running, deliver } = await start(forge, {
      2: async () => {
        at.forge.close('#1');
        await deliver({ reference: '#1', change: 'closed' });
      },
    });
    at.forge.openIssue({ title: 'The total is wrong', body: null, labels: [label] });
    await deliver({ reference: '#1', label });
    await running.printed(/finished task/);
    expect(at.forge.thread('#1').labels).toEqual(['coding agent stopped']);
    expect(requests(at)).toHaveLength(2);
  });

  it('do nothing when they are forged', { tags: ['full'] }, async () => {
    const { at, running, deliver } = await start(forge, {});
    at.forge.openIssue({ title: 'The total is wrong', body: null, labels: [label] });
    const looks = at.forge.pollCount();
    for (let time = 0; time < 3; time += 1)
      expect(await deliver({ reference: '#1', label }, 'a secret of somebody else')).toBe(401);
    await delay(spacingMs);
    expect(at.forge.pollCount()).toBe(looks);
    expect(running.output().split('refused webhook')).toHaveLength(2);
  });
});
