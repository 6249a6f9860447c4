import { randomBytes } from 'node:crypto';
import {
  createWebhook,
  type DemoGitHub,
  demoAccounts,
  demoIssue,
  demoRepository,
  demoRounding,
  startDemoGitHub,
  startDemoModel,
  toDemoConfiguration,
} from '@agent/simulators/demo/parts';
import { withFinalSummaries } from '@agent/simulators/model';
import {
  findOpencode,
  installOpencode,
  opencodeVersion,
  toOpencodeEnvironment,
} from '@agent/simulators/real-agents';
import type { CheckedPromise } from '../checked-promise.ts';
import { collectFacts } from '../collect-facts.ts';
import { DemoError } from '../demo-error.ts';
import type { DemonstrationOptions } from '../demonstrate.ts';
import { formatThread } from '../format-thread.ts';
import { createNarrator, type Narrator } from '../narrator.ts';
import type { Printer } from '../printer.ts';
import { runDaemon, toDaemonEnvironment } from '../run-daemon.ts';
import { nextCommand, shortenDiff, showOutcome } from '../show-outcome.ts';
import { writeConfiguration } from '../write-configuration.ts';
import { checkAgentPromises } from './check-agent-promises.ts';
import { findHeard, type HeardText, playOpencode } from './play-opencode.ts';

/**
 * Shows the real opencode work on an issue instead of the daemon's own loop, and receive a comment in the middle of its turn.
 *
 * @returns what was promised and what was kept; nothing when it was interrupted
 * @throws DemoError where opencode is neither installed nor can be fetched
 */
export async function demonstrateAgent(
  options: Omit<DemonstrationOptions, 'forge' | 'chosen'>,
): Promise<CheckedPromise[]> {
  const { directory, printer, interruption, verbose } = options;
  const opencode = await requireOpencode(options);
  if (opencode === null) return [];
  const secret = randomBytes(16).toString('hex');
  const forge = await startDemoGitHub({ token: `demo_${randomBytes(16).toString('hex')}`, secret });
  const narrator = createNarrator(printer, forge, { verbose });
  const webhook = createWebhook('github');
  const object = async () => {
    const delivery = forge.comment(demoAccounts.reporter, demoRounding.objection);
    narrator.personSays('mika', demoRounding.objection);
    await webhook.deliver(delivery);
  };
  const coder = await playOpencode({ modelSays: narrator.modelSays, object });
  const script = withFinalSummaries(() => ({ text: 'The daemon itself has nothing to ask a model.' }));
  const model = await startDemoModel({ kind: 'script', api: 'responses' }, { script, think: async () => {} });
  try {
    const variables = toOpencodeEnvironment(coder);
    const acp = { command: opencode, args: ['acp'], env: Object.keys(variables) };
    const sections = { planning: { enabled: false }, executor: { acp } };
    const configPath = await writeConfiguration(directory, toDemoConfiguration({ forge, model, sections }));
    introduce(printer, { url: forge.url, configPath, opencode });
    narrator.begin();
    const daemon = runDaemon({
      configPath,
      environment: { ...toDaemonEnvironment(options.environment, forge.environment), ...variables },
      onLine: (line) => {
        webhook.daemonSays(line);
        narrator.daemonSays(line);
      },
    });
    interruption.passTo(daemon.signal);
    const exitCode = await daemon.ended;
    interruption.passTo(null);
    narrator.catchUp();
    if (interruption.signal() !== null) return [];
    const heard = {
      issue: findHeard(coder, demoIssue.body.slice(0, 60)),
      objection: findHeard(coder, demoRounding.objection),
      shown: coder.requests.map(({ written }) => written).join('\n'),
    };
    return await showResult(forge, { ...heard, exitCode, directory, printer, verbose, narrator });
  } finally {
    await Promise.all([forge.close(), model.close(), coder.close()]);
  }
}

/** Null if the download was interrupted. */
async function requireOpencode({
  environment,
  printer,
  interruption,
}: Pick<DemonstrationOptions, 'environment' | 'printer' | 'interruption'>): Promise<string | null> {
  if (findOpencode(environment) === null && !environment.OPENCODE_BIN) {
    printer.heading('Once per clone');
    printer.block(
      `Downloading opencode ${opencodeVersion} from npm into .toolchain (184 MB). Nothing else is installed.`,
    );
  }
  try {
    return await installOpencode(environment);
  } catch (cause) {
    if (interruption.signal() !== null) return null;
    throw new DemoError(
      `${(cause as Error).message}\nThis demonstration needs opencode. Start it again with network access, or set OPENCODE_BIN to its program.`,
    );
  }
}

function introduce(
  printer: Printer,
  facts: { readonly url: string; readonly configPath: string; readonly opencode: string },
): void {
  printer.heading('The stage');
  printer.block(
    [
      `A simulated GitHub at ${facts.url}. A test of the repository ${demoRepository.path} fails.`,
      `The real opencode works on the issue: ${facts.opencode}`,
      'A script plays its model, so nothing leaves this machine. The first start of opencode takes some seconds.',
      `The real daemon: agent-daemon run --once --config ${facts.configPath}`,
      'It starts opencode with `executor: { acp: { command, args: [acp], env } }`. --verbose prints the log.',
    ].join('\n'),
  );
  printer.heading('What happens');
}

interface Observed {
  readonly exitCode: number;
  readonly directory: string;
  readonly issue: HeardText;
  readonly objection: HeardText;
  readonly shown: string;
}

async function showResult(
  forge: DemoGitHub,
  {
    printer,
    verbose,
    narrator,
    ...observed
  }: Observed & {
    readonly printer: Printer;
    readonly verbose: boolean;
    readonly narrator: Narrator;
  },
): Promise<CheckedPromise[]> {
  const { exitCode, directory } = observed;
  const { facts, issue, changeRequest, diff } = await collectFacts(forge, {
    exitCode,
    directory,
    model: null,
  });
  if (verbose) {
    printer.heading(`Issue ${issue.reference}`);
    printer.block(formatThread(issue));
  }
  if (changeRequest !== null) {
    printer.heading(`The draft pull request ${changeRequest.reference}: ${changeRequest.title}`);
    if (verbose) printer.block(formatThread(changeRequest));
    printer.diff(verbose ? `\n${diff}` : shortenDiff(diff));
  }
  const lastWords = issue.comments.findLast(({ author }) => author === demoAccounts.robot)?.body ?? '';
  const promises = checkAgentPromises({ ...facts, ...observed, lastWords });
  return showOutcome(promises, { printer, log: narrator.unprintedLog(), next: nextCommand });
}
