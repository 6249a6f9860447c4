import { setTimeout as sleepFor } from 'node:timers/promises';
import { type ConversationView, type ModelRequest, type Script, withFinalSummaries } from '../model/index.ts';
import type { DemoForge } from './demo-forge.ts';
import { demoAccounts, demoRounding } from './demo-project.ts';
import { progressOf } from './headings-of.ts';
import { hasFailed, planDiscount } from './plan-discount.ts';
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
  const think: PlayedModel['think'] = async ({ body }) => {
    if (hasThought || !hasFailed(body)) return;
    hasThought = true;
    observed = { ...observed, objected: await object(options) };
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
 * Does what the agent offers where it shows an assumption, once an action has failed: the same moment in every run. A
 * script answers faster than any model, so it waits: until the offer can be read, and then until the objection is heard
 * before the next action.
 */
async function object({ forge, tell, deliver, sleep = sleepUnheld }: PlayOptions): Promise<boolean> {
  let offer = findOffer(forge);
  for (let waitedMs = 0; offer === null && waitedMs < patienceMs; waitedMs += glanceMs) {
    await sleep(glanceMs);
    offer = findOffer(forge);
  }
  if (offer === null) return false;
  const body = `${offer} ${demoRounding.objection}`;
  const delivery = forge.comment(demoAccounts.reporter, body);
  tell('mika', body);
  await deliver(delivery);
  await sleep(spacingMs + glanceMs);
  return true;
}

const isPlanned = /^- \[ \] /m;

/** Finds the command that rejects an assumption; null until the comment that offers it also shows the plan. */
function findOffer(forge: PlayOptions['forge']): string | null {
  const shown = forge
    .issue()
    .comments.map(({ body }) => body)
    .join('\n');
  return isPlanned.test(shown) ? (/`(\/reject A\d+) reason`/.exec(shown)?.[1] ?? null) : null;
}

/** Keeps no process alive: after Ctrl-C nobody waits for the answer. */
function sleepUnheld(milliseconds: number): Promise<void> {
  return sleepFor(milliseconds, undefined, { ref: false });
}
