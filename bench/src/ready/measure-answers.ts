import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { startDaemon } from '../daemon-process.ts';
import { answeringScript } from '../scripts.ts';
import { repository, startWorld } from '../world.ts';

/** Milliseconds of each answer, by path. */
export type Answers = Readonly<Record<string, readonly number[]>>;

export interface MeasureAnswersOptions {
  /** What strangers write below the issue. */
  readonly comments: readonly string[];
}

const paths = ['/healthz', '/readyz'];

/** How soon the built daemon answers while a task with these comments is begun, worked on and ended. */
export async function measureAnswers({ comments }: MeasureAnswersOptions): Promise<Answers> {
  const world = await startWorld({
    script: answeringScript,
    pollIntervalSeconds: 1,
    config: { http: { port: 0 } },
  });
  const daemon = startDaemon(world, { once: false });
  try {
    const { url } = (await daemon.whileRunning(daemon.log.find('serving HTTP endpoints'))) as unknown as {
      readonly url: string;
    };
    const number = world.openIssue('The total is wrong');
    for (const body of comments) world.gitHub.comment({ repo: repository, number, author: 'alice', body });
    const urls = paths.map((path) => `${url}${path}`);
    const poll = new Worker(new URL('./poll-endpoints.ts', import.meta.url), {
      workerData: { urls, pauseMs: 1 },
    });
    await daemon.whileRunning(daemon.log.find('finished task'));
    poll.postMessage('stop');
    const [answered] = (await once(poll, 'message')) as [Answers];
    return Object.fromEntries(paths.map((path) => [path, answered[`${url}${path}`] ?? []]));
  } finally {
    await daemon.end();
    await world.close();
  }
}
