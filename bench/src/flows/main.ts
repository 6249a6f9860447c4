import { formatReport } from '../format-report.ts';
import { type FlowFigure, toFlowsReport } from './flows-report.ts';
import { cutFlow, firstEntry, lastEntry } from './read-trace.ts';
import { traceBot } from './trace-bot.ts';
import { type DaemonTrace, traceDaemon } from './trace-daemon.ts';

// `npm run house -- flows`: the files that each of the great flows passes, traced in the running programs.
const daemonFlows = toFigures(await traceDaemon());
const reply = { name: 'Discord message → reply', aim: 26, ...(await traceBot()) };
process.stdout.write(formatReport(toFlowsReport([...daemonFlows, reply])));

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

function need(moment: number | null, what: string): number {
  if (moment === null) throw new Error(`The trace does not have ${what}: was its file renamed?`);
  return moment;
}
