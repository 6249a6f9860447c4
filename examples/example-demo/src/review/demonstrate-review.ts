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
import { createNarrator, type Narrator } from '../narrator.ts';
import type { Printer } from '../printer.ts';
import { runDaemon, toDaemonEnvironment } from '../run-daemon.ts';
import { nextCommand, shortenDiff, showOutcome } from '../show-outcome.ts';
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
  const { directory, printer, interruption, verbose } = options;
  const secret = randomBytes(16).toString('hex');
  const forge = await startDemoGitHub({ token: `demo_${randomBytes(16).toString('hex')}`, secret });
  const narrator = createNarrator(printer, forge, { verbose });
  const webhook = createWebhook('github');
  const script = withFinalSummaries((view) => {
    const { reply, inWords } = repairBasket(view);
    narrator.modelSays(inWords);
    return reply;
  });
  const model = await startDemoModel({ kind: 'script', api: 'responses' }, { script, think: async () => {} });
  try {
    const configPath = await writeConfiguration(directory, toDemoConfiguration({ forge, model, sections }));
    introduce(printer, { url: forge.url, configPath });
    narrator.begin();
    const over = new AbortController();
    const daemon = runDaemon({
      ...{ configPath, once: false },
      environment: toDaemonEnvironment(options.environment, forge.environment),
      onLine: (line) => {
        webhook.daemonSays(line);
        narrator.daemonSays(line);
        if (/\bfinished task\b/.test(line)) over.abort();
      },
    });
    interruption.passTo(daemon.signal);
    const end = () => over.abort();
    void daemon.ended.then(end, end);
    const verdicts = await playReviews({
      ...{ forge, secret, narrator, directory, deliver: webhook.deliver },
      signal: AbortSignal.any([over.signal, AbortSignal.timeout(patienceMs)]),
    }).finally(() => daemon.signal('SIGTERM'));
    const exitCode = await daemon.ended;
    interruption.passTo(null);
    narrator.catchUp();
    return interruption.signal() === null
      ? await showResult(forge, { exitCode, verdicts, directory, printer, verbose, narrator })
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
      `A simulated GitHub at ${url}. A test of the repository ${demoRepository.path} fails.`,
      'CI really runs the tests at each push, and Mika reviews the draft.',
      'A script plays the model. It cannot run commands here, so only CI shows it what is wrong.',
      `The real daemon: agent-daemon run --config ${configPath}`,
      'With `follow_up: { until: green }` it stays with its draft until all checks pass. --verbose prints the log.',
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
    verbose,
    narrator,
    ...observed
  }: {
    readonly directory: string;
    readonly printer: Printer;
    readonly verbose: boolean;
    readonly narrator: Narrator;
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
  if (verbose) {
    printer.heading(`Issue ${forge.issue().reference}`);
    printer.block(formatThread(forge.issue()));
  }
  if (request !== undefined) {
    printer.heading(`The draft pull request ${request.reference}: ${request.title}`);
    if (verbose) printer.block(formatThread(request));
    for (const { path, resolvedBy, comments } of threads) {
      printer.part(
        `The review thread on ${path}${resolvedBy === null ? '' : `, resolved by @${resolvedBy}`}`,
      );
      printer.block(formatComments(comments));
    }
    printer.part('Its commits, newest first, and the diff');
    printer.block(commits.join('\n'));
    printer.line();
    printer.diff(verbose ? diff : shortenDiff(diff));
  }
  const promises = checkReviewPromises({
    ...observed,
    ...{ threads, commits, diff, lastWords: lastWords(forge), testsOnMain: onMain.passed },
    issueLabels: forge.issue().labels,
    changeRequests: changeRequests.map(({ changeRequest }) => ({ draft: changeRequest?.draft ?? false })),
    testsOnBranch: onBranch?.passed ?? false,
  });
  return showOutcome(promises, { printer, log: narrator.unprintedLog(), next: nextCommand });
}
