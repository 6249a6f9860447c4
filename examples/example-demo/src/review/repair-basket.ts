import {
  demoFault,
  demoRounding,
  edit,
  isMade,
  type PlannedTurn,
  scriptNotice,
} from '@agent/simulators/demo/parts';
import type { ConversationView, ScriptedCall, ScriptedReply } from '@agent/simulators/model';

/** What the check fails on: the first change forgets how many of a thing there are. */
const slip = 'total + line.cents, 0)';

/** What the reviewer asks for on a line; the script knows it by its first words. */
export const reviewQuestion = {
  body: 'Why on the sum, and no longer on each line? Say so in a comment, or somebody will turn it round again.\n/resolve',
  mark: 'Why on the sum',
  answer: 'The till rounds once, on the sum. A comment above the line says so now.',
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
    inWords: `${scriptNotice}\nThe percentage goes off twice. I take it off the sum alone; nothing here runs tests, so CI will tell.`,
    result: 'The discount is taken off once, from the sum.',
  },
  {
    isAsked: (said) => said.includes('1250 !== 2250'),
    calls: [edit(demoFault.file, [slip, demoRounding.onSum])],
    inWords: 'The log of the check says 1250 instead of 2250: I forgot how many of each there are.',
    result: 'I had forgotten the quantity; the test that failed shows it.',
  },
  {
    isAsked: (said) => said.includes(reviewQuestion.mark),
    calls: [edit(demoFault.file, [demoFault.wrong, `${reviewQuestion.wanted}${demoFault.wrong}`])],
    inWords: 'The reviewer wants the reason to stand in the code.',
    result: reviewQuestion.answer,
  },
];

/**
 * The demonstration's model where a change is followed up: makes a slip, and mends it when the check's log is shown; does what the
 * reviewer asks for. What comes next follows from what the conversation shows, whatever comes first.
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
