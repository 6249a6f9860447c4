import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRoom } from '../discord/open-room.ts';
import type { Bench } from '../report.ts';
import { type FlowFigure, toFlowsReport } from './flows-report.ts';
import { cutFlow, firstEntry, lastEntry, now, readTrace } from './read-trace.ts';
import { type DaemonTrace, traceDaemon, traceInto } from './trace-daemon.ts';

/** How many files each of the great flows passes, traced in the running programs. */
export const flowsBench: Bench = {
  name: 'flows',
  fromSources: true,
  run: async ({ onProgress }) => {
    onProgress('a run with a comment, SIGKILL, a restart and a second run');
    const daemon = toFigures(await traceDaemon());
    onProgress('a message on Discord');
    return toFlowsReport([...daemon, await traceBot()]);
  },
};

function toFigures({ entries, moments }: DaemonTrace): readonly FlowFigure[] {
  const { labelSeen, firstRequest, answered, requestWithComment, restarted } = moments;
  const asked = need(
    firstEntry(entries, /^packages\/runner\/.* deliverComments$/, answered),
    'the question for comments',
  );
  const checkpoint = need(lastEntry(entries, /^packages\/runner\/.* passCheckpoint$/, asked), 'a checkpoint');
  const worktree = need(
    lastEntry(entries, /^packages\/workspace\/src\/git\/worktree\.ts /, firstRequest),
    'a worktree',
  );
  const inheritance = /^packages\/context-inheritance\/src\//;
  const past = need(firstEntry(entries, inheritance, moments.secondRunStarted), 'what is inherited');
  const block = need(
    lastEntry(entries, inheritance, moments.firstRequestOfSecondRun),
    'the block of the prompt',
  );
  return [
    {
      name: 'checkpoint → comment in the next request',
      aim: 45,
      ...cutFlow(entries, checkpoint, requestWithComment),
    },
    {
      name: "model's answer → journal → tool → next checkpoint",
      aim: null,
      ...cutFlow(entries, answered, checkpoint),
    },
    {
      name: 'restart after SIGKILL → first request',
      aim: 110,
      ...cutFlow(entries, restarted, moments.requestAfterRestart),
    },
    { name: 'label seen → worktree ready', aim: 90, ...cutFlow(entries, labelSeen, worktree) },
    { name: "earlier run's decision → block of the prompt", aim: 55, ...cutFlow(entries, past, block) },
  ];
}

async function traceBot(): Promise<FlowFigure> {
  const directory = await mkdtemp(join(tmpdir(), 'flows-bench-'));
  const file = join(directory, 'trace.tsv');
  const { nodeArguments, environment } = traceInto(file);
  const room = await openRoom({ settings: environment, nodeArguments });
  try {
    const thread = await room.open('The first question.');
    const asked = now();
    await room.ask(thread, 'The second question.');
    const answered = now();
    await room.close();
    return { name: 'Discord message → reply', aim: 26, ...cutFlow(readTrace(file), asked, answered) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function need(moment: number | null, what: string): number {
  if (moment === null) throw new Error(`The trace does not have ${what}: was its file renamed?`);
  return moment;
}
