import { setTimeout as delay } from 'node:timers/promises';
import type { Forge, ForgeName } from '../support/forge.ts';
import { createJobRunner } from '../support/job-runner.ts';
import { projectFiles, startWorld } from '../support/world.ts';
import { findBrokenHearing } from './hearing.ts';
import { createTalk } from './talk.ts';

/** Jobs of one issue, of which some were killed. */
export interface KilledJobs {
  /** Number of jobs that were killed. */
  readonly killed: number;
  /** What is wrong with the thread and the record in the end. */
  readonly findings: readonly string[];
  /** Requests before each kill, and what the last job printed. */
  readonly trace: string;
}

export interface KilledJobsOptions {
  readonly forge: ForgeName;
  /** Draws whole numbers from 1 to this one. */
  readonly draw: (most: number) => number;
  /** Most jobs to kill. */
  readonly kills: number;
}

/** Requests of a job that is not killed, about. */
const mostRequests = 90;

/** Most jobs that are started to bring an issue to its end. */
const mostJobs = 30;

/**
 * Runs the jobs of one issue on machines of their own, while people comment, edit and delete. Each of the first jobs is killed after a number
 * of requests that is drawn. The last ones are left alone.
 */
export async function runKilledJobs({ forge: name, draw, kills }: KilledJobsOptions): Promise<KilledJobs> {
  const talk = createTalk();
  let onRequest = (): void => {};
  const world = await startWorld({
    script: talk.script,
    forges: [name],
    files: projectFiles,
    config: { comment_detection: { enabled: true } },
    onModelRequest: () => onRequest(),
    onForgeRequest: (label) => {
      talk.onForgeRequest(label);
      onRequest();
    },
  });
  const trace: string[] = [];
  let killed = 0;
  try {
    const { forge } = world;
    const jobs = createJobRunner(world);
    const { reference, number } = forge.openIssue({
      ...{ title: 'Write notes', body: 'Write a note of what people say.', labels: ['coding agent'] },
    });
    talk.takePlaceOn(forge, forge.thread(reference));
    let output = '';
    for (let job = 0; job < mostJobs && !isOver(forge, reference); job += 1) {
      const until = killed < kills ? draw(mostRequests) : null;
      let requests = 0;
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      onRequest = () => {
        requests += 1;
        if (requests === until) reach();
      };
      const started = await jobs.start({ reference, label: 'coding agent' });
      await Promise.race([reached, started.exited]);
      if (until !== null && requests >= until && started.child.exitCode === null) {
        await delay(draw(20));
        started.child.kill('SIGKILL');
      }
      const exit = await started.exited;
      output = exit.output;
      if (exit.signal === 'SIGKILL') killed += 1;
      const [end = ''] = output.match(/"status":"\w+","reason":[^}]{0,300}/) ?? [];
      trace.push(`job ${job + 1}: ${exit.signal ?? exit.code} after ${requests} requests ${end}`);
    }
    await jobs.fetchRecord(number);
    const findings = [...findBrokenThread(forge, reference), ...(await findBrokenHearing(world, talk))];
    return { killed, findings, trace: [...trace, output].join('\n') };
  } finally {
    await world.close();
  }
}

function isOver(forge: Forge, reference: string): boolean {
  const { labels } = forge.thread(reference);
  return ['coding agent done', 'coding agent failed'].some((label) => labels.includes(label));
}

/** One result, one draft, one status comment: nothing that a job did was done again by another one. */
function findBrokenThread(forge: Forge, reference: string): readonly string[] {
  const { comments, statusComments, labels } = forge.thread(reference);
  const own = comments
    .filter(({ author }) => author === 'robot')
    .map(({ body }) => body.split('\n')[0] ?? '');
  const reactions = comments.flatMap(({ id, reactions: given }) =>
    given.length === new Set(given).size ? [] : [`comment ${id} has the reactions ${given.join(', ')}`],
  );
  return [
    ...(labels.join() === 'coding agent done' ? [] : [`the labels are ${labels.join()}`]),
    ...(new Set(own).size === own.length ? [] : [`the agent wrote ${own.join(' | ')}`]),
    ...(statusComments.length === 1 ? [] : [`there are ${statusComments.length} status comments`]),
    ...(forge.changeRequests().length === 1 ? [] : [`there are ${forge.changeRequests().length} drafts`]),
    ...reactions,
  ];
}
