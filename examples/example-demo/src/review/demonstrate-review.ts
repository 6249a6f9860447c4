import { randomBytes } from 'node:crypto';
import {
  createWebhook,
  type DemoGitHub,
  demoAccounts,
  demoRepository,
  startDemoGitHub,
  startDemoModel,
  toDemoConfiguration,
} from '@agent/simulators/demo/parts';
import { withFinalSummaries } from '@agent/simulators/model';
import type { CheckedPromise } from '../checked-promise.ts';
import type { DemonstrationOptions } from '../demonstrate.ts';
import { formatComments, formatThread } from '../format-thread.ts';
import { diffBranches, listCommits, testBranch } from '../inspect-branch.ts';
import type { Printer } from '../printer.ts';
import { runDaemon, toDaemonEnvironment } from '../run-daemon.ts';
import { createTimeline } from '../timeline.ts';
import { writeConfiguration } from '../write-configuration.ts';
import { checkReviewPromises } from './check-review-promises.ts';
import { playReviews } from './play-reviews.ts';
import { repairBasket } from './repair-basket.ts';

/** Sections of the story's configuration: no plan, no tests by the agent itself, and a run that stays with its draft. */
const sections = {
  planning: { enabled: false },
  tools: { run_command: { sandbox: 'off', allow_root: true } },
  follow_up: { until: 'green' },
  poll_interval_seconds: 1,
};

/** Milliseconds after which the story is over, whatever happened. */
const patienceMs = 200_000;

/**
 * Shows how a run stays with the pull request that it opened, until its check passes and its reviewer has an answer.
 *
 * @returns what was promised and what was kept; nothing when it was interrupted
 */
export async function demonstrateReview(
  options: Omit<DemonstrationOptions, 'forge' | 'chosen'>,
): Promise<CheckedPromise[]> {
  const { directory, printer, interruption } = options;
  const secret = randomBytes(16).toString('hex');
  const forge = await startDemoGitHub({ token: `demo_${randomBytes(16).toString('hex')}`, secret });
  const timeline = createTimeline(printer, forge);
  const webhook = createWebhook('github');
  const script = withFinalSummaries((view) => {
    const { reply, inWords } = repairBasket(view);
    timeline.modelSays(inWords);
    return reply;
  });
  const model = await startDemoModel({ kind: 'script', api: 'responses' }, { script, think: async () => {} });
  try {
    const configPath = await writeConfiguration(directory, toDemoConfiguration({ forge, model, sections }));
    introduce(printer, { url: forge.url, configPath });
    const over = new AbortController();
    const daemon = runDaemon({
      ...{ configPath, once: false },
      environment: toDaemonEnvironment(options.environment, forge.environment),
      onLine: (line) => {
        webhook.daemonSays(line);
        timeline.daemonSays(line);
        if (/\bfinished task\b/.test(line)) over.abort();
      },
    });
    interruption.passTo(daemon.signal);
    const end = () => over.abort();
    void daemon.ended.then(end, end);
    const verdicts = await playReviews({
      ...{ forge, secret, timeline, directory, deliver: webhook.deliver },
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]),
    }).finally(() => daemon.signal('SIGTERM'));
    const exitCode = await daemon.ended;
    interruption.passTo(null);
    timeline.catchUp();
    return interruption.signal() === null
      ? await showResult(forge, { exitCode, verdicts, directory, printer })
      : [];
  } finally {
    await Promise.all([forge.close(), model.close()]);
  }
}

function introduce(
  printer: Printer,
  { url, configPath }: { readonly url: string; readonly configPath: string },
): void {
  printer.heading('The stage');
  printer.block(
    [
      `A simulated GitHub at ${url}, with the repository ${demoRepository.path}:`,
      'one of its tests fails, and an issue labeled "coding agent" asks for help.',
      'CI runs the tests of each new head for real; Mika reviews.',
      'A script plays the model. It may run no command, so that it learns from CI alone what its changes are worth.',
      `The daemon as it is: agent-daemon run --config ${configPath}`,
      'Its configuration has the section `follow_up: { until: green }`: a run stays with the draft that it opened.',
    ].join('\n'),
  );
  printer.heading('What happens');
}

function lastWords(forge: Pick<DemoGitHub, 'issue'>): string {
  return forge.issue().comments.findLast(({ author }) => author === demoAccounts.robot)?.body ?? '';
}

async function showResult(
  forge: DemoGitHub,
  {
    directory,
    printer,
    ...observed
  }: {
    readonly directory: string;
    readonly printer: Printer;
    readonly exitCode: number;
    readonly verdicts: readonly boolean[];
  },
): Promise<CheckedPromise[]> {
  const { gitDirectory, simulator } = forge;
  const changeRequests = forge.changeRequests();
  const [request] = changeRequests;
  const branch = request?.changeRequest ?? null;
  const inspect = (name: string) =>
    testBranch(gitDirectory, { branch: name, scratch: directory, expression: '0' });
  const onMain = await inspect('main');
  const onBranch = branch === null ? null : await inspect(branch.head);
  const diff = branch === null ? '' : await diffBranches(gitDirectory, branch);
  const commits = branch === null ? [] : await listCommits(gitDirectory, branch);
  const threads = request === undefined ? [] : simulator.reviews.threads(demoRepository.path, request.number);
  printer.heading(`Issue ${forge.issue().reference}, as it stands now`);
  printer.block(formatThread(forge.issue()));
  if (request !== undefined) {
    printer.heading(`The pull request ${request.reference}, as it stands now`);
    printer.block(formatThread(request));
    for (const { path, resolvedBy, comments } of threads) {
      printer.heading(`The thread on ${path}${resolvedBy === null ? '' : `, resolved by @${resolvedBy}`}`);
      printer.block(formatComments(comments));
    }
    printer.heading('Its commits, and its diff');
    printer.block(commits.join('\n'));
    printer.line();
    printer.diff(diff);
  }
  const promises = checkReviewPromises({
    ...observed,
    ...{ threads, commits, diff, lastWords: lastWords(forge), testsOnMain: onMain.passed },
    issueLabels: forge.issue().labels,
    changeRequests: changeRequests.map(({ changeRequest }) => ({ draft: changeRequest?.draft ?? false })),
    testsOnBranch: onBranch?.passed ?? false,
  });
  printer.heading('As promised?');
  for (const { promise, kept } of promises) printer.verdict(promise, kept);
  printer.line();
  return promises;
}
