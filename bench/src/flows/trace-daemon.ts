import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Script } from '@agent/simulators/model';
import { type DaemonProcess, startDaemon } from '../daemon-process.ts';
import { repository, startWorld, type World } from '../world.ts';
import { type Entry, now, readTrace } from './read-trace.ts';

/** Moments of one story, in milliseconds of `now()`. */
export interface Moments {
  /** GitHub's last list of issues before the first request to the model. */
  readonly labelSeen: number;
  readonly firstRequest: number;
  /** The model's answer to the request during which somebody wrote. */
  readonly answered: number;
  readonly requestWithComment: number;
  readonly restarted: number;
  readonly requestAfterRestart: number;
  readonly secondRunStarted: number;
  readonly firstRequestOfSecondRun: number;
}

export interface DaemonTrace {
  readonly entries: readonly Entry[];
  readonly moments: Moments;
}

const secret = 'TheSecretOfTheWebhookInBenches01';
const marker = 'Say it in yen.';
const program = fileURLToPath(new URL('../../../apps/daemon/src/main.ts', import.meta.url));
const hook = new URL('./trace-functions.ts', import.meta.url).href;

/** Looks once, and ends when it is started again. */
const script: Script = (view) =>
  view.exchanges.length === 0
    ? { toolCalls: [{ name: 'read_file', input: { path: 'total.js' } }] }
    : { text: 'The total is right.\n\n- It is shown in yen.' };

/** Arguments and variables with which a program writes a trace to a file. */
export function traceInto(file: string) {
  return {
    nodeArguments: ['--conditions=@agent/source', '--import', hook],
    environment: { FLOW_TRACE: file },
  };
}

/**
 * Runs the daemon from its sources: an issue, a comment told by a webhook, SIGKILL during the next step, a second process
 * that goes on to the end, and a second run on the same issue.
 */
export async function traceDaemon(): Promise<DaemonTrace> {
  const moments: { -readonly [Name in keyof Moments]?: number } = {};
  const lists: number[] = [];
  let daemon: DaemonProcess | null = null;
  let killed = (): void => {};
  const world: World = await startWorld({
    script,
    pollIntervalSeconds: 3_600,
    contextLength: 1_000_000,
    config: { http: { port: 0 }, locale: 'en' },
    onRequest: ({ method, path }) => {
      if (method === 'GET' && /\/issues\?/.test(path)) lists.push(now());
    },
    onModelCall: async () => {
      const at = now();
      if (moments.firstRequest === undefined) {
        Object.assign(moments, { labelSeen: lists.at(-1), firstRequest: at });
        await tell();
        moments.answered = now();
      } else if (moments.restarted === undefined) {
        if (!JSON.stringify(world.model.requests.at(-1)?.body).includes(marker))
          throw new Error('The comment is not in the next request to the model.');
        moments.requestWithComment = at;
        // What the trace has of this step is on the disk before the process is killed.
        await delay(200);
        killed();
        await delay(2_000);
      } else if (moments.requestAfterRestart === undefined) moments.requestAfterRestart = at;
      else if (moments.secondRunStarted !== undefined) moments.firstRequestOfSecondRun ??= at;
    },
  });
  const file = join(world.directory, 'trace.tsv');
  const { nodeArguments, environment } = traceInto(file);
  const start = (once: boolean): DaemonProcess =>
    startDaemon(world, {
      once,
      program,
      nodeArguments,
      environment: { ...environment, GITHUB_WEBHOOK_SECRET: secret },
    });
  const number = world.openIssue('The total is wrong');
  const tell = async (): Promise<void> => {
    const line = await daemon?.log.find('listening for webhooks');
    const { id } = world.gitHub.comment({ repo: repository, number, author: 'alice', body: marker });
    const happening = { event: 'issue_comment', action: 'created', repo: repository, commentId: id } as const;
    const delivery = world.gitHub.composeDelivery(happening, secret);
    const response = await fetch(`${line?.url}/webhooks/github`, { method: 'POST', ...delivery });
    if (response.status !== 202) throw new Error(`The daemon answered a webhook with ${response.status}.`);
    // A thread is polled once a second at most.
    await delay(1_100);
  };
  try {
    daemon = start(false);
    const running = daemon;
    await new Promise<void>((resolve) => {
      killed = () => {
        process.kill(running.processId, 'SIGKILL');
        resolve();
      };
    });
    await running.succeeded.catch(() => {});
    moments.restarted = now();
    await start(true).succeeded;
    world.gitHub.addLabels(repository, number, ['coding agent'], { by: 'alice' });
    moments.secondRunStarted = now();
    await start(true).succeeded;
    return { entries: readTrace(file), moments: moments as Moments };
  } finally {
    await world.close();
  }
}
