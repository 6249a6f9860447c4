import { type ConversationView, type Script, withFinalSummaries } from '@agent/simulators/model';
import type { DemoForge } from './demo-forge.ts';
import { demoAccounts, demoRounding } from './demo-project.ts';
import { progressOf } from './headings-of.ts';
import { hasFailed, planDiscount } from './plan-discount.ts';
import { prepareDiscount } from './prepare-discount.ts';
import type { Timeline } from './timeline.ts';

/** What the model was asked, and what stood on the issue when it was. */
export interface ObservedModel {
  /** The questions before the first step, in order. */
  readonly questions: readonly string[];
  /** All that the model was shown with its first step; empty when it came to none. */
  readonly firstStep: string;
  /** Comment of the agent that shows its progress, at that moment. */
  readonly toldBefore: string;
  /** Whether somebody rejected what the agent assumed. */
  readonly objected: boolean;
}

export interface PlayedModel {
  readonly script: Script;
  readonly observed: () => ObservedModel;
}

export interface PlayOptions {
  readonly forge: Pick<DemoForge, 'issue' | 'comment'>;
  readonly timeline: Pick<Timeline, 'modelSays' | 'personSays'>;
}

/** The script of the demonstration, with somebody on the thread who objects to what the agent assumed. */
export function playModel({ forge, timeline }: PlayOptions): PlayedModel {
  let observed: ObservedModel = { questions: [], firstStep: '', toldBefore: '', objected: false };
  const script = withFinalSummaries((view) => {
    const prepared = prepareDiscount(view);
    if (prepared !== null) {
      observed = { ...observed, questions: [...observed.questions, prepared.question] };
      timeline.modelSays(prepared.inWords);
      return { text: JSON.stringify(prepared.json) };
    }
    if (observed.firstStep === '') observed = { ...observed, ...observeFirstStep(view, forge) };
    const { reply, inWords } = planDiscount(view);
    if (!observed.objected && hasFailed(view))
      observed = { ...observed, objected: object({ forge, timeline }) };
    timeline.modelSays(inWords);
    return reply;
  });
  return { script, observed: () => observed };
}

function observeFirstStep({ instructions, messages }: ConversationView, forge: PlayOptions['forge']) {
  return {
    firstStep: [instructions, ...messages.map(({ text }) => text)].join('\n\n'),
    toldBefore: progressOf(forge.issue(), demoAccounts.robot),
  };
}

/** Does what the agent offers where it shows an assumption, once an action has failed: the same moment in every run. */
function object({ forge, timeline }: PlayOptions): boolean {
  const said = forge
    .issue()
    .comments.map(({ body }) => body)
    .join('\n');
  const command = /`(\/reject A\d+) reason`/.exec(said)?.[1];
  if (command === undefined) return false;
  const body = `${command} ${demoRounding.objection}`;
  forge.comment(demoAccounts.reporter, body);
  timeline.personSays('mika', body);
  return true;
}
