import type { ChosenModel, DemoForge, ForgeName } from '@agent/simulators/demo';
import { prepareDemonstration } from '@agent/simulators/demo';
import { demoRepository, wrapLine } from '@agent/simulators/demo/parts';
import { checkPromises } from './check-promises.ts';
import type { CheckedPromise } from './checked-promise.ts';
import { collectFacts, type RunFacts } from './collect-facts.ts';
import { formatThread } from './format-thread.ts';
import type { Interruption } from './interruption.ts';
import { createNarrator, type Narrator } from './narrator.ts';
import { outlinePreparation } from './outline-preparation.ts';
import type { Printer } from './printer.ts';
import { type RunDaemonOptions, runDaemon, toDaemonEnvironment } from './run-daemon.ts';
import { nextCommand, shortenDiff, showOutcome } from './show-outcome.ts';
import { startWithPage } from './show-page.ts';
import { writeConfiguration } from './write-configuration.ts';

export interface DemonstrationOptions {
  /** Which forge is simulated. */
  readonly forge: ForgeName;
  readonly chosen: ChosenModel;
  /** An empty directory for everything that the run leaves on disk. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly printer: Printer;
  readonly interruption: Interruption;
  /** Keeps the daemon running with its web page after the run. */
  readonly page: boolean;
  /** Prints the log, every request and whole threads. */
  readonly verbose: boolean;
}

/**
 * Shows the whole run, from the labeled issue to the tested pull or merge request.
 *
 * @returns what was promised and what was kept; nothing when the run was interrupted
 */
export async function demonstrate(options: DemonstrationOptions): Promise<CheckedPromise[]> {
  const { chosen, directory, printer, verbose } = options;
  const demonstration = await prepareDemonstration({
    forge: options.forge,
    model: chosen,
    tell: (who, text) => (who === 'model' ? narrator.modelSays(text) : narrator.personSays(who, text)),
  });
  const { forge } = demonstration;
  const narrator = createNarrator(printer, forge, { verbose });
  try {
    const configPath = await writeConfiguration(directory, demonstration.configuration);
    const command = `agent-daemon run ${options.page ? '' : '--once '}--config ${configPath}`;
    introduce(printer, { forge, model: demonstration.modelDescription, command });
    const environment = toDaemonEnvironment(options.environment, demonstration.environment);
    const onLine = (line: string) => {
      demonstration.daemonSays(line);
      narrator.daemonSays(line);
    };
    const run = { ...options, configPath, environment, onLine };
    printer.heading('What happens');
    narrator.begin();
    const show = (exitCode: number | null) => {
      narrator.catchUp();
      const observed = chosen.kind === 'script' ? demonstration.observed() : null;
      return showResult(forge, { exitCode, directory, printer, verbose, narrator, model: observed });
    };
    if (options.page) return await watchPage(run, show);
    const exitCode = await watchDaemon(run);
    return options.interruption.signal() === null ? await show(exitCode) : [];
  } finally {
    await demonstration.close();
  }
}

function introduce(
  printer: Printer,
  facts: { readonly forge: DemoForge; readonly model: string; readonly command: string },
): void {
  printer.heading('The stage');
  printer.block(
    [
      `A simulated ${facts.forge.title} at ${facts.forge.url}. A test of the repository ${demoRepository.path} fails.`,
      facts.model,
      `The real daemon: ${facts.command}`,
      'Commands run without a sandbox in this demonstration only. --verbose prints the log.',
    ].join('\n'),
  );
}

async function watchDaemon(
  options: Pick<DemonstrationOptions, 'interruption'> & RunDaemonOptions,
): Promise<number> {
  const { interruption, ...run } = options;
  const daemon = runDaemon(run);
  interruption.passTo(daemon.signal);
  const exitCode = await daemon.ended;
  interruption.passTo(null);
  return exitCode;
}

/** Shows the result as soon as the run has ended, and stays with the page until Ctrl-C. */
async function watchPage(
  options: Pick<DemonstrationOptions, 'printer' | 'interruption'> & RunDaemonOptions,
  show: (exitCode: null) => Promise<CheckedPromise[]>,
): Promise<CheckedPromise[]> {
  const { printer, interruption, ...run } = options;
  const { daemon, finished, address, token } = await startWithPage(run, { printer });
  interruption.passTo(daemon.signal);
  await finished;
  const promises = interruption.signal() === null ? await show(null) : [];
  if (address() !== null)
    printer.block(`\nThe page stays at ${address()}/ until Ctrl-C. To log in there: ${token}`);
  await daemon.ended;
  interruption.passTo(null);
  return promises;
}

async function showResult(
  forge: DemoForge,
  options: RunFacts & Pick<DemonstrationOptions, 'printer' | 'verbose'> & { readonly narrator: Narrator },
): Promise<CheckedPromise[]> {
  const { printer, narrator } = options;
  const { facts, issue, changeRequest, diff, tests } = await collectFacts(forge, options);
  if (options.verbose) {
    showRequests(printer, forge);
    showPreparation(printer, options.model?.firstStep ?? '');
    printer.heading(`Issue ${issue.reference}`);
    printer.block(formatThread(issue));
  }
  if (changeRequest !== null) {
    const { reference, title } = changeRequest;
    printer.heading(`The draft ${forge.changeRequestWord} ${reference}: ${title}`);
    if (options.verbose) printer.block(formatThread(changeRequest));
    printer.diff(options.verbose ? `\n${diff}\n` : shortenDiff(diff));
    if (options.verbose) printer.block(tests.replace(/^ℹ (?!pass|fail).*\n?/gm, '').trimEnd());
  }
  return showOutcome(checkPromises(facts), { printer, log: narrator.unprintedLog(), next: nextCommand });
}

function showRequests(printer: Printer, forge: DemoForge): void {
  const requests = forge.requests();
  const unchanged = requests.filter(({ status }) => status === 304).length;
  printer.block(
    `\n${requests.length} requests to ${forge.title}, ${unchanged} of them answered "not modified".`,
  );
}

function showPreparation(printer: Printer, firstStep: string): void {
  const outline = outlinePreparation(firstStep);
  if (outline === '') return;
  printer.heading('What the agent knew before it started to work (from its instructions)');
  const lines = outline.split('\n').flatMap((line) => wrapLine(line, 100));
  printer.block(lines.join('\n'));
}
