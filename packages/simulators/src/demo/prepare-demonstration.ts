import { randomBytes } from 'node:crypto';
import type { DemoForge, DemoThread, ForgeName } from './demo-forge.ts';
import { type ObservedModel, type PlayOptions, playModel } from './play-model.ts';
import { startDemoGitHub } from './start-demo-github.ts';
import { startDemoGitLab } from './start-demo-gitlab.ts';
import { type ChosenModel, type DemoModel, startDemoModel } from './start-demo-model.ts';
import { toDemoConfiguration } from './to-demo-configuration.ts';
import { createWebhook } from './webhook.ts';

/** Options of a demonstration; each has a default. */
export interface DemonstrationOptions {
  /** Default: `github`. */
  readonly forge?: ForgeName;
  /** Default: a script, by the Responses API. */
  readonly model?: ChosenModel;
  /** Hears what the model says in its own words, and what a person writes on the issue while it works. Default: nobody. */
  readonly tell?: PlayOptions['tell'];
}

/** A world on loopback in which the daemon finishes an issue: a forge, a model, and a person who objects to what is assumed. */
export interface Demonstration {
  readonly forge: DemoForge;
  /** One sentence on what plays the model. */
  readonly modelDescription: string;
  /** Contents of the daemon's configuration file, to be written as YAML or JSON. Its directories are relative to that file. */
  readonly configuration: object;
  /** Variables that the daemon's environment needs on top: its token, and the secret of its webhook. */
  readonly environment: Readonly<Record<string, string>>;
  /** Takes each line of the daemon's log, which says where it takes webhooks; without it nothing is delivered. */
  readonly daemonSays: (line: string) => void;
  readonly result: () => DemonstrationResult;
  /** Requests to the model so far; a real endpoint's are not seen. */
  readonly observed: () => ObservedModel;
  readonly close: () => Promise<void>;
}

/** State of the forge, whatever the daemon says of it. */
export interface DemonstrationResult {
  /** True where the issue is labeled as done, and one draft that links it is open. */
  readonly isFinished: boolean;
  readonly issue: DemoThread;
  readonly changeRequest: DemoThread | null;
}

/**
 * Prepares what `agent-daemon run --once` needs to finish an issue on this machine alone, on free ports of 127.0.0.1. Close it when done.
 *
 * @example
 * const demonstration = await prepareDemonstration({ tell: (who, text) => console.log(`${who}: ${text}`) });
 * await writeFile('agent.config.yaml', JSON.stringify(demonstration.configuration));
 * // … run the daemon with `demonstration.environment`, then:
 * console.log(demonstration.result().isFinished);
 * await demonstration.close();
 */
export async function prepareDemonstration(options: DemonstrationOptions = {}): Promise<Demonstration> {
  const { forge: name = 'github', model: chosen = { kind: 'script', api: 'responses' } } = options;
  const start = { github: startDemoGitHub, gitlab: startDemoGitLab }[name];
  const forge = await start({ token: `demo_${toRandom()}`, secret: toRandom() });
  const webhook = createWebhook(name);
  const play = playModel({ forge, tell: options.tell ?? (() => {}), deliver: webhook.deliver });
  const model = await startDemoModel(chosen, play).catch(async (error: unknown) => {
    await forge.close();
    throw error;
  });
  return {
    forge,
    modelDescription: model.description,
    configuration: toDemoConfiguration({ forge, model }),
    environment: forge.environment,
    daemonSays: webhook.daemonSays,
    result: () => toResult(forge),
    observed: play.observed,
    close: () => closeAll([forge, model]),
  };
}

function toRandom(): string {
  return randomBytes(16).toString('hex');
}

function toResult(forge: DemoForge): DemonstrationResult {
  const issue = forge.issue();
  const [changeRequest = null, ...others] = forge.changeRequests();
  const isDraft = changeRequest?.changeRequest?.draft === true && others.length === 0;
  const isLinked = new RegExp(`#${issue.number}\\b`).test(changeRequest?.body ?? '');
  return {
    isFinished: issue.labels.includes('coding agent done') && isDraft && isLinked,
    issue,
    changeRequest,
  };
}

async function closeAll(parts: readonly Pick<DemoModel, 'close'>[]): Promise<void> {
  await Promise.all(parts.map(({ close }) => close()));
}
