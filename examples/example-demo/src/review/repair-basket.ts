import {
  demoFault,
  demoRounding,
  edit,
  isMade,
  type PlannedTurn,
  scriptNotice,
} from '@agent/simulators/demo/parts';
import type { ConversationView, ScriptedCall, ScriptedReply } from '@agent/simulators/model';

/** The fault that the check finds: the first change forgets the quantity. */
const slip = 'total + line.cents, 0)';

/** What the reviewer asks for on a line; the script knows it by its first words. */
export const reviewQuestion = {
  body: 'Why on the sum, and no longer on each line? Please say so in a comment, so that no one changes it back.\n/resolve',
  mark: 'Why on the sum',
  answer: 'The till rounds once, on the sum. I added a comment above the line.',
  wanted: '  // The till rounds once, on the sum.\n',
} as const;

interface Job {
  /** Whether the conversation asks for it. */
  readonly isAsked: (said: string) => boolean;
  readonly calls: readonly ScriptedCall[];
  /** What the model says while it does it, and its last words about it. */
  readonly inWords: string;
  readonly result: string;
}

/** What the script can do, in the order in which it is asked for it. */
const jobs: readonly Job[] = [
  {
    isAsked: () => true,
    calls: [edit(demoFault.file, [demoRounding.perLine, slip])],
    inWords: `${scriptNotice}\nThe discount is applied twice. I apply it to the sum only. I cannot run tests here, so CI will show.`,
    result: 'The discount is applied once, to the sum.',
  },
  {
    isAsked: (said) => said.includes('1250 !== 2250'),
    calls: [edit(demoFault.file, [slip, demoRounding.onSum])],
    inWords: 'The log of the check shows 1250 instead of 2250: I forgot the quantity.',
    result: 'I had forgotten the quantity. The failing test showed it.',
  },
  {
    isAsked: (said) => said.includes(reviewQuestion.mark),
    calls: [edit(demoFault.file, [demoFault.wrong, `${reviewQuestion.wanted}${demoFault.wrong}`])],
    inWords: 'The reviewer wants the reason in the code.',
    result: reviewQuestion.answer,
  },
];

/**
 * The demonstration's model for a run that stays with its draft: makes a mistake, fixes it when it is shown the check's log, and
 * does what the reviewer asks for, in any order.
 */
export function repairBasket(view: ConversationView): PlannedTurn {
  const said = view.messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join('\n');
  const asked = jobs.filter(({ isAsked }) => isAsked(said));
  for (const { calls, inWords } of asked) {
    const toolCalls = calls.filter((call) => !isMade(call, view));
    if (toolCalls.length > 0) return { reply: { toolCalls }, inWords };
  }
  const told = view.messages.filter(({ role }) => role === 'assistant').map(({ text }) => text);
  const fresh = asked.map(({ result }) => result).filter((text) => !told.some((one) => one.includes(text)));
  const text = fresh.join(' ') || 'There is nothing left to do.';
  const reply: ScriptedReply = { text };
  return { reply, inWords: text };
}
