import { setTimeout as sleepFor } from 'node:timers/promises';
import { type ConversationView, type ModelRequest, type Script, withFinalSummaries } from '../model/index.ts';
import type { DemoForge } from './demo-forge.ts';
import { demoAccounts, demoRounding } from './demo-project.ts';
import { progressOf } from './headings-of.ts';
import { hasFailed, hasRevised, onSum, planDiscount } from './plan-discount.ts';
import { prepareDiscount } from './prepare-discount.ts';
import type { Webhook } from './webhook.ts';

/** Record of what the model was asked, and of the issue at that moment. */
export interface ObservedModel {
  /** The questions before the first step, in order. */
  readonly questions: readonly string[];
  /** All that the model was shown with its first step; empty when it came to none. */
  readonly firstStep: string;
  /** Comment of the agent that shows its progress, at that moment. */
  readonly toldBefore: string;
  /** True once somebody rejected what the agent assumed. */
  readonly objected: boolean;
}

/** The script, and what it was asked. */
export interface PlayedModel {
  readonly script: Script;
  /** Resolves when the model has thought long enough; to be waited for before the script is asked. */
  readonly think: (request: Pick<ModelRequest, 'body'>) => Promise<void>;
  readonly observed: () => ObservedModel;
}

/** The stage that a script plays on. */
export interface PlayOptions {
  readonly forge: Pick<DemoForge, 'issue' | 'comment'>;
  /** Hears what the model says in its own words, and what a person writes on the issue. */
  readonly tell: (who: 'model' | 'mika', text: string) => void;
  readonly deliver: Webhook['deliver'];
  /** Waits for this many milliseconds. Default: by the real clock. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** The script of the demonstration, with somebody on the thread who objects to what the agent assumed. */
export function playModel(options: PlayOptions): PlayedModel {
  const { forge, tell } = options;
  let observed: ObservedModel = { questions: [], firstStep: '', toldBefore: '', objected: false };
  const script = withFinalSummaries((view) => {
    const prepared = prepareDiscount(view);
    if (prepared !== null) {
      observed = { ...observed, questions: [...observed.questions, prepared.question] };
      tell('model', prepared.inWords);
      return { text: JSON.stringify(prepared.json) };
    }
    if (observed.firstStep === '') observed = { ...observed, ...observeFirstStep(view, forge) };
    const { reply, inWords } = planDiscount(view);
    tell('model', inWords);
    return reply;
  });
  let hasThought = false;
  let isRevisionAwaited = false;
  const think: PlayedModel['think'] = async ({ body }) => {
    if (!hasThought && hasFailed(body)) {
      hasThought = true;
      isRevisionAwaited = await object(options);
      observed = { ...observed, objected: isRevisionAwaited };
    } else if (isRevisionAwaited && hasRevised(body)) {
      isRevisionAwaited = false;
      await waitFor(() => (shownOn(forge).includes(onSum) ? onSum : null), options);
    }
  };
  return { script, think, observed: () => observed };
}

function observeFirstStep({ instructions, messages }: ConversationView, forge: PlayOptions['forge']) {
  return {
    firstStep: [instructions, ...messages.map(({ text }) => text)].join('\n\n'),
    toldBefore: progressOf(forge.issue(), demoAccounts.robot),
  };
}

/** Comments are asked for at most once in this time, in milliseconds. */
const spacingMs = 1_000;
const patienceMs = 30_000;
const glanceMs = 50;

/**
 * Rejects an assumption as the agent's comment offers it, once an action has failed. A script answers faster than any model, so
 * it waits until the offer is readable, and then until the comment is delivered before the next action.
 */
async function object(options: PlayOptions): Promise<boolean> {
  const { forge, tell, deliver, sleep = sleepUnheld } = options;
  const offer = await waitFor(() => findOffer(forge), options);
  if (offer === null) return false;
  const body = `${offer} ${demoRounding.objection}`;
  const delivery = forge.comment(demoAccounts.reporter, body);
  tell('mika', body);
  await deliver(delivery);
  await sleep(spacingMs + glanceMs);
  return true;
}

/** Waits until there is something to find; null if there never is. */
async function waitFor(
  find: () => string | null,
  { sleep = sleepUnheld }: Pick<PlayOptions, 'sleep'>,
): Promise<string | null> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += glanceMs) {
    const found = find();
    if (found !== null) return found;
    await sleep(glanceMs);
  }
  return find();
}

const isPlanned = /^- \[ \] /m;

/** Finds the command that rejects an assumption; null until the comment that offers it also shows the plan. */
function findOffer(forge: PlayOptions['forge']): string | null {
  const shown = shownOn(forge);
  return isPlanned.test(shown) ? (/`(\/reject A\d+) <reason>`/.exec(shown)?.[1] ?? null) : null;
}

function shownOn(forge: PlayOptions['forge']): string {
  const bodies = forge.issue().comments.map(({ body }) => body);
  return bodies.join('\n');
}

/** Keeps no process alive after Ctrl-C. */
function sleepUnheld(milliseconds: number): Promise<void> {
  return sleepFor(milliseconds, undefined, { ref: false });
}
