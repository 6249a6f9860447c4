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
import type { Printer } from '../printer.ts';
import { runDaemon, toDaemonEnvironment } from '../run-daemon.ts';
import { createTimeline } from '../timeline.ts';
import { writeConfiguration } from '../write-configuration.ts';
import { checkAgentPromises } from './check-agent-promises.ts';
import { findHeard, type HeardText, playOpencode } from './play-opencode.ts';

/**
 * Shows how the real opencode works on an issue in the place of the daemon's own loop, and hears a comment in the middle of its turn.
 *
 * @returns what was promised and what was kept; nothing when it was interrupted
 * @throws DemoError where opencode is neither installed nor can be fetched
 */
export async function demonstrateAgent(
  options: Omit<DemonstrationOptions, 'forge' | 'chosen'>,
): Promise<CheckedPromise[]> {
  const { directory, printer, interruption } = options;
  const opencode = await requireOpencode(options);
  if (opencode === null) return [];
  const secret = randomBytes(16).toString('hex');
  const forge = await startDemoGitHub({ token: `demo_${randomBytes(16).toString('hex')}`, secret });
  const timeline = createTimeline(printer, forge);
  const webhook = createWebhook('github');
  const object = async () => {
    const delivery = forge.comment(demoAccounts.reporter, demoRounding.objection);
    timeline.personSays('mika', demoRounding.objection);
    await webhook.deliver(delivery);
  };
  const coder = await playOpencode({ modelSays: timeline.modelSays, object });
  const script = withFinalSummaries(() => ({ text: 'The daemon itself has nothing to ask a model.' }));
  const model = await startDemoModel({ kind: 'script', api: 'responses' }, { script, think: async () => {} });
  try {
    const variables = toOpencodeEnvironment(coder);
    const acp = { command: opencode, args: ['acp'], env: Object.keys(variables) };
    const sections = { planning: { enabled: false }, executor: { acp } };
    const configPath = await writeConfiguration(directory, toDemoConfiguration({ forge, model, sections }));
    introduce(printer, { url: forge.url, configPath, opencode });
    const daemon = runDaemon({
      configPath,
      environment: { ...toDaemonEnvironment(options.environment, forge.environment), ...variables },
      onLine: (line) => {
        webhook.daemonSays(line);
        timeline.daemonSays(line);
      },
    });
    interruption.passTo(daemon.signal);
    const exitCode = await daemon.ended;
    interruption.passTo(null);
    timeline.catchUp();
    if (interruption.signal() !== null) return [];
    const heard = {
      issue: findHeard(coder, demoIssue.body.slice(0, 60)),
      objection: findHeard(coder, demoRounding.objection),
      shown: coder.requests.map(({ written }) => written).join('\n'),
    };
    return await showResult(forge, { ...heard, exitCode, directory, printer });
  } finally {
    await Promise.all([forge.close(), model.close(), coder.close()]);
  }
}

/** Null when somebody would not wait for it. */
async function requireOpencode({
  environment,
  printer,
  interruption,
}: Pick<DemonstrationOptions, 'environment' | 'printer' | 'interruption'>): Promise<string | null> {
  if (findOpencode(environment) === null && !environment.OPENCODE_BIN) {
    printer.heading('Once for this clone');
    printer.block(
      `opencode ${opencodeVersion} is fetched from npm: 184 MB, into .toolchain. Nothing else is installed.`,
    );
  }
  try {
    return await installOpencode(environment);
  } catch (cause) {
    if (interruption.signal() !== null) return null;
    throw new DemoError(
      `${(cause as Error).message}\nThis story needs opencode: start it again with a network, or name its program in OPENCODE_BIN.`,
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
      `A simulated GitHub at ${facts.url}, with the repository ${demoRepository.path}:`,
      'one of its tests fails, and an issue labeled "coding agent" asks for help.',
      `opencode does the work (${facts.opencode}), with loop, memory and tools of its own; a script plays its model.`,
      'Its tokens cost nothing, and nothing leaves this machine. The first start of opencode takes some seconds.',
      `The daemon as it is: agent-daemon run --once --config ${facts.configPath}`,
      'Its configuration has the section `executor: { acp: { command, args: [acp], env } }`.',
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
  { printer, ...observed }: Observed & { readonly printer: Printer },
): Promise<CheckedPromise[]> {
  const { exitCode, directory } = observed;
  const { facts, issue, changeRequest, diff } = await collectFacts(forge, {
    exitCode,
    directory,
    model: null,
  });
  printer.heading(`Issue ${issue.reference}, as it stands now`);
  printer.block(formatThread(issue));
  if (changeRequest !== null) {
    printer.heading(`The pull request ${changeRequest.reference}, as it stands now`);
    printer.block(formatThread(changeRequest));
    printer.heading('Its diff');
    printer.diff(diff);
  }
  const lastWords = issue.comments.findLast(({ author }) => author === demoAccounts.robot)?.body ?? '';
  const promises = checkAgentPromises({ ...facts, ...observed, lastWords });
  printer.heading('As promised?');
  for (const { promise, kept } of promises) printer.verdict(promise, kept);
  printer.line();
  return promises;
}
