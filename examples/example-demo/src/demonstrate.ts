import { randomBytes } from 'node:crypto';
import { type CheckedPromise, checkPromises } from './check-promises.ts';
import type { ChosenModel } from './choose-model.ts';
import { collectFacts } from './collect-facts.ts';
import { demoRepository } from './demo-project.ts';
import { formatThread } from './format-thread.ts';
import type { Interruption } from './interruption.ts';
import type { Printer } from './printer.ts';
import { runDaemon, toDaemonEnvironment } from './run-daemon.ts';
import { startModel } from './start-model.ts';
import { type DemoWorld, startWorld } from './start-world.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { writeConfiguration } from './write-configuration.ts';

export interface DemonstrationOptions {
  readonly chosen: ChosenModel;
  /** An empty directory for everything that the run leaves on disk. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly printer: Printer;
  readonly interruption: Interruption;
}

/**
 * Shows the whole run, from the labelled issue to the tested pull request.
 *
 * @returns what was promised and what was kept; nothing when the run was interrupted
 */
export async function demonstrate(options: DemonstrationOptions): Promise<CheckedPromise[]> {
  const { chosen, directory, printer } = options;
  const token = `demo_${randomBytes(16).toString('hex')}`;
  const world = await startWorld(token);
  const timeline = createTimeline(printer, () => world.gitHub.requests);
  const model = await startModel(chosen, { onText: timeline.modelSays }).catch(async (error: unknown) => {
    await world.gitHub.close();
    throw error;
  });
  try {
    const gitHubUrl = world.gitHub.url;
    const configPath = await writeConfiguration(directory, { gitHubUrl, llm: model.llm });
    introduce(printer, { gitHubUrl, model: model.description, configPath });
    const environment = toDaemonEnvironment(options.environment, { token });
    const exitCode = await watchDaemon(timeline, { ...options, configPath, environment });
    if (options.interruption.signal() !== null) return [];
    return await showResult(world, { exitCode, directory, printer });
  } finally {
    await Promise.all([world.gitHub.close(), model.close()]);
  }
}

function introduce(
  printer: Printer,
  facts: { readonly gitHubUrl: string; readonly model: string; readonly configPath: string },
): void {
  printer.heading('The stage');
  printer.block(
    [
      `A simulated GitHub at ${facts.gitHubUrl}, with the repository ${demoRepository.path}:`,
      'one of its tests fails, and an issue labelled "coding agent" asks for help.',
      facts.model,
      `The daemon as it is: agent-daemon run --once --config ${facts.configPath}`,
    ].join('\n'),
  );
}

async function watchDaemon(
  timeline: Timeline,
  options: DemonstrationOptions & { readonly configPath: string; readonly environment: NodeJS.ProcessEnv },
): Promise<number> {
  const { printer, configPath, environment, interruption } = options;
  printer.heading('What happens');
  const daemon = runDaemon({ configPath, environment, onLine: timeline.daemonSays });
  interruption.passTo(daemon.signal);
  const exitCode = await daemon.ended;
  interruption.passTo(null);
  timeline.catchUp();
  return exitCode;
}

async function showResult(
  world: DemoWorld,
  options: { readonly exitCode: number; readonly directory: string; readonly printer: Printer },
): Promise<CheckedPromise[]> {
  const { printer } = options;
  const { facts, issue, pullRequest, diff, tests } = await collectFacts(world, options);
  const { requests } = world.gitHub;
  const unchanged = requests.filter(({ status }) => status === 304).length;
  printer.block(`\n${requests.length} requests to GitHub, ${unchanged} of them answered "not modified".`);
  printer.heading(`Issue #${issue.number}, as it stands now`);
  printer.block(formatThread(issue));
  if (pullRequest !== null) {
    printer.heading(`Pull request #${pullRequest.number}, as it stands now`);
    printer.block(formatThread(pullRequest));
    printer.heading('Its diff');
    printer.diff(diff);
    printer.heading("The project's tests on its branch");
    printer.block(tests);
  }
  const promises = checkPromises(facts);
  printer.heading('As promised?');
  for (const { promise, kept } of promises) printer.verdict(promise, kept);
  printer.line();
  return promises;
}
