import type { ChosenModel, DemoForge, ForgeName } from '@agent/simulators/demo';
import { prepareDemonstration } from '@agent/simulators/demo';
import { demoRepository } from '@agent/simulators/demo/parts';
import { checkPromises } from './check-promises.ts';
import type { CheckedPromise } from './checked-promise.ts';
import { collectFacts, type RunFacts } from './collect-facts.ts';
import { formatThread } from './format-thread.ts';
import type { Interruption } from './interruption.ts';
import { outlinePreparation } from './outline-preparation.ts';
import type { Printer } from './printer.ts';
import { type RunDaemonOptions, runDaemon, toDaemonEnvironment } from './run-daemon.ts';
import { startWithPage } from './show-page.ts';
import { createTimeline } from './timeline.ts';
import { wrapLine } from './wrap-line.ts';
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
  /** True where the daemon stays with its page after its run. */
  readonly page: boolean;
}

/**
 * Shows the whole run, from the labeled issue to the tested pull or merge request.
 *
 * @returns what was promised and what was kept; nothing when the run was interrupted
 */
export async function demonstrate(options: DemonstrationOptions): Promise<CheckedPromise[]> {
  const { chosen, directory, printer } = options;
  const demonstration = await prepareDemonstration({
    forge: options.forge,
    model: chosen,
    tell: (who, text) => (who === 'model' ? timeline.modelSays(text) : timeline.personSays(who, text)),
  });
  const { forge } = demonstration;
  const timeline = createTimeline(printer, forge);
  try {
    const configPath = await writeConfiguration(directory, demonstration.configuration);
    const command = `agent-daemon run ${options.page ? '' : '--once '}--config ${configPath}`;
    introduce(printer, { forge, model: demonstration.modelDescription, command });
    const environment = toDaemonEnvironment(options.environment, demonstration.environment);
    const onLine = (line: string) => {
      demonstration.daemonSays(line);
      timeline.daemonSays(line);
    };
    const run = { ...options, configPath, environment, onLine };
    const show = (exitCode: number | null) => {
      timeline.catchUp();
      const observed = chosen.kind === 'script' ? demonstration.observed() : null;
      return showResult(forge, { exitCode, directory, printer, model: observed });
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
      `A simulated ${facts.forge.title} at ${facts.forge.url}, with the repository ${demoRepository.path}:`,
      'one of its tests fails, and an issue labeled "coding agent" asks for help.',
      facts.model,
      `The daemon as it is: ${facts.command}`,
      'The tests run without a sandbox here, so that this plays on any machine; tools.run_command.sandbox is required elsewhere.',
    ].join('\n'),
  );
}

async function watchDaemon(
  options: Pick<DemonstrationOptions, 'printer' | 'interruption'> & RunDaemonOptions,
): Promise<number> {
  const { printer, interruption, ...run } = options;
  printer.heading('What happens');
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
  printer.heading('What happens');
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
  options: RunFacts & { readonly printer: Printer },
): Promise<CheckedPromise[]> {
  const { printer } = options;
  const { facts, issue, changeRequest, diff, tests } = await collectFacts(forge, options);
  const requests = forge.requests();
  const unchanged = requests.filter(({ status }) => status === 304).length;
  printer.block(
    `\n${requests.length} requests to ${forge.title}, ${unchanged} of them answered "not modified".`,
  );
  const foundOut = outlinePreparation(options.model?.firstStep ?? '');
  if (foundOut !== '') {
    printer.heading('What the agent knew before it began to work (from its instructions)');
    printer.block(
      foundOut
        .split('\n')
        .flatMap((line) => wrapLine(line, 100))
        .join('\n'),
    );
  }
  printer.heading(`Issue ${issue.reference}, as it stands now`);
  printer.block(formatThread(issue));
  if (changeRequest !== null) {
    printer.heading(`The ${forge.changeRequestWord} ${changeRequest.reference}, as it stands now`);
    printer.block(formatThread(changeRequest));
    printer.heading('Its diff');
    printer.diff(diff);
    printer.heading("The project's tests on its branch");
    printer.block(tests.replace(/^ℹ (?!pass|fail).*\n?/gm, '').trimEnd());
  }
  const promises = checkPromises(facts);
  printer.heading('As promised?');
  for (const { promise, kept } of promises) printer.verdict(promise, kept);
  printer.line();
  return promises;
}
